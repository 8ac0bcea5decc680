# The notes of an agent beside its arguments differ each time, but the request is the same.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call query {"sql":"select 1","task_progress":"- [x] step 1"} -> no rows
call query {"sql":"select 1","task_progress":"- [x] step 2"} -> no rows
----
in       act
pending  act#1
spent    1 steps, 2 toolCalls

call query {"sql":"select 1","task_progress":"- [x] step 3"} -> no rows
----
7   found    loop (sequence): repeated-sequence calls=["query"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["query"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["query"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["query"] times=3

