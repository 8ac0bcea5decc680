# A custom rung is part of the ladder under its name, with its own budget: once for this loop. It leads to a node that no edge names. When
# the same loop recurs, the next rung is taken.

graph:
  parts: { rungs: [./parts.ts#handover] }
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    specialist: { use: pass, on: { done: work } }
    end: { final: success }
  escape: { ladder: [handover, review, stop], review: { deadline: 1h } }

start
3x call search {"q":"x"} -> nothing
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
    escape   alternative work → specialist by handover
in       specialist
pending  specialist#1
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

node.done @specialist
3x call search {"q":"x"} -> nothing
----
16  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 12, seen at 16, in work, burned 3 toolCalls
    escape   review in work
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    3 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3
