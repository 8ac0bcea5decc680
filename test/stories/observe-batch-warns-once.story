# Mode `observe`: a finding of a batch is reported when its last call returns, and not again with the later events of the region.

graph:
  mode: observe
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
call read {"file":"c"} -> C
call read {"file":"d"} -> D
----
10  warned
in       act
pending  act#1
spent    1 steps, 7 toolCalls
