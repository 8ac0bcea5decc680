# Four answers in a row that the same tool gave before, in no repeating order: the agent moves but learns nothing.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  detect: { repetition: false, stale: { times: 4 } }

start
call read {"file":"a"} -> A; call read {"file":"b"} -> B; call read {"file":"c"} -> C
call read {"file":"c"} -> C; call read {"file":"a"} -> A; call read {"file":"b"} -> B
----
in       act
pending  act#1
spent    1 steps, 6 toolCalls

call read {"file":"a"} -> A
----
15  found    stall (stale): no-new-information calls=["read"] rounds=4
             period 1, 4 times, since 9, seen at 9 11 13 15, in act, burned 4 toolCalls
    escape   stop (stall)
    ended    stopped: stall because no-new-information calls=["read"] rounds=4, result {}
ended    stopped: stall because no-new-information calls=["read"] rounds=4
spent    1 steps, 7 toolCalls
lesson   no-new-information calls=["read"] rounds=4
