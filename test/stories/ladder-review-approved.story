# A person reads the reason and continues the agent in a state of their choice.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h } }

start
3x call search {} -> nothing
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   review in act
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

+10m
resume approved to=other
----
in       other
pending  other#1
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
