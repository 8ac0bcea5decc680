# Polling with changing answers is not a loop, however often it happens. When the answer stops changing, it is one.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  limits: { toolCalls: 100 }

start
call status {"job":7} -> 10%; call status {"job":7} -> 20%; call status {"job":7} -> 20%; call status {"job":7} -> 30%
call status {"job":7} -> 40%; call status {"job":7} -> 55%; call status {"job":7} -> 60%; call status {"job":7} -> 60%; call status {"job":7} -> 99%
----
in       act
pending  act#1
spent    1 steps, 9 toolCalls

3x call status {"job":7} -> 99%
----
23  found    loop (sequence): repeated-sequence calls=["status"] times=3
             period 1, 3 times, since 19, seen at 23, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["status"] times=3, result {}
24  ignored
25  ignored
ended    stopped: loop because repeated-sequence calls=["status"] times=3
spent    1 steps, 11 toolCalls
lesson   repeated-sequence calls=["status"] times=3
