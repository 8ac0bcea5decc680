# Calls of one batch: what is found while others are still out acts when the last has come back.

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
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
in       act
pending  act#1
spent    1 steps, 4 toolCalls

call read {"file":"b"} -> B
----
10  escape   alternative act → other; not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place
in       other
pending  other#1
spent    1 steps, 5 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
