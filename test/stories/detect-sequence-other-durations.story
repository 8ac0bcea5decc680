# The same tests fail in the same way, only the time they took is another one each time, written as `0.13s` or `140ms`: no news.

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
7   found    loop (sequence): tests 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 3 toolCalls
