# A finding in the middle of a batch takes effect after the last call of the batch has returned.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end, loop: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }

start
2x call search {} -> nothing
call search {} -> nothing &
call read {"file":"a"} -> A &
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
in       act
pending  act#1
spent    1 steps, 4 toolCalls

call read {"file":"b"} -> B
----
10  escape   alternative act → other
in       other
pending  other#1
spent    1 steps, 5 toolCalls
lesson   repeated-sequence calls=["search"] times=3
