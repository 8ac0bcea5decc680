# A savepoint for progress inside a node is taken at the end of the node. A restart from its beginning would repeat a write.

graph:
  tools: { book: { use: flaky, effects: write } }
  nodes:
    act: { use: ./work.ts#act, on: { done: rest } }
    rest: { use: ./work.ts#rest, on: { done: rest } }
    end: { final: success }
  escape: { ladder: [rollback, stop] }

start
call book {"n":1} -> seat 1
node.done
3x call look {} -> nothing
----
11  found    loop (sequence): repeated-sequence calls=["look"] times=3
             period 1, 3 times, since 7, seen at 11, in rest, burned 3 toolCalls
    escape   rollback from rest to event 4
in       rest
pending  rollback#1 to event 4
spent    2 steps, 4 toolCalls
lesson   repeated-sequence calls=["look"] times=3

rollback.done
----
in       rest
pending  rest#2
spent    2 steps, 4 toolCalls
lesson   repeated-sequence calls=["look"] times=3

