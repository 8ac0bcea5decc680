# A cancel does not wait for the end of the round, and a pending finding does not change its effect.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
2x call search {} -> nothing
call search {} -> nothing &
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
in       act
pending  act#1
spent    1 steps, 3 toolCalls

cancel enough
----
8   ended    cancelled: enough, result {}
ended    cancelled: enough
spent    1 steps, 3 toolCalls
