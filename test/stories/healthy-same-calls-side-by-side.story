# Four equal parallel calls count as one, because rounds count, not their calls. The third such round is a loop.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call list {} -> nothing yet &; call list {} -> nothing yet &; call list {} -> nothing yet &; call list {} -> nothing yet
call list {} -> nothing yet &; call list {} -> nothing yet
----
in       act
pending  act#1
spent    1 steps, 6 toolCalls

call list {} -> nothing yet &; call list {} -> nothing yet
----
15  found    loop (sequence): repeated-sequence calls=["list"] times=3
             period 1, 3 times, since 3, seen at 15, in act, burned 7 toolCalls
16  escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["list"] times=3, result {}
17  ignored
ended    stopped: loop because repeated-sequence calls=["list"] times=3
spent    1 steps, 8 toolCalls
lesson   repeated-sequence calls=["list"] times=3

