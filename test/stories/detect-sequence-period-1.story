# The same call with the same answer three times in a row is a loop. Twice may be chance, and the order of keys does not matter.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    other: { use: ./work.ts#other, on: { done: end } }
    end: { final: success }
  escape: { alternatives: { act: [other] } }

start
2x call search {"q":"x","page":1} -> nothing
----
in       act
pending  act#1
spent    1 steps, 2 toolCalls

call search {"page":1,"q":"x"} -> nothing
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → other
in       other
pending  other#1
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
