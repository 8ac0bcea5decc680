# Two files are read in turn for the third time, with the same contents: a loop of period 2. The escape leaves from the state where it
# happened, and the row reports the spending in the loop.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    other: { use: ./work.ts#other, on: { done: end } }
    end: { final: success }
  escape: { alternatives: { act: [other] } }

start
2x call read {"file":"a"} -> AAA; call read {"file":"b"} -> BBB
call read {"file":"a"} -> AAA
----
11  found    loop (sequence): repeated-sequence calls=["read","read"] times=2
             period 2, 3 times, since 3, seen at 9 11, in act, burned 5 toolCalls
    escape   alternative act → other
in       other
pending  other#1
spent    1 steps, 5 toolCalls
lesson   repeated-sequence calls=["read","read"] times=2
