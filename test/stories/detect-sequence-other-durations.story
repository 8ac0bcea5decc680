# The same tests fail in the same way, and only their duration differs, written as `0.13s` or `140ms`. That is not news.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call tests {"file":"a"} -> "1 failed, 3 passed in 0.13s (setup 140ms)"
call tests {"file":"a"} -> "1 failed, 3 passed in 0.27s (setup 95ms)"
----
in       act
pending  act#1
spent    1 steps, 2 toolCalls

call tests {"file":"a"} -> "1 failed, 3 passed in 1.02s (setup 8ms)"
----
7   found    loop (sequence): repeated-sequence calls=["tests"] times=3 ← call-failed call=tests times=3 ← error message="1 failed, 3 passed in 1.02s (setup 8ms)"
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["tests"] times=3 ← call-failed call=tests times=3 ← error message="1 failed, 3 passed in 1.02s (setup 8ms)", result {}
ended    stopped: loop because repeated-sequence calls=["tests"] times=3 ← call-failed call=tests times=3 ← error message="1 failed, 3 passed in 1.02s (setup 8ms)"
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["tests"] times=3 ← call-failed call=tests times=3 ← error message="1 failed, 3 passed in 1.02s (setup 8ms)"
