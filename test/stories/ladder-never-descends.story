# One loop after another without progress: alternative, alternative, review, stop. After a review, the ladder does not descend to an
# alternative, although one still has budget.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: act } }
    b: { use: ./work.ts#b, on: { done: act } }
    c: { use: ./work.ts#c, on: { done: act } }
    end: { final: success }
  detect: { recurrence: false }
  escape:
    alternatives: { act: [b], b: [c], c: [b] }
    budget: { alternative: { total: 2 } }
    review: { deadline: 1h }

start
3x call search {"q":"x"} -> nothing
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → b
in       b
pending  b#1
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

3x call ask {"q":"x"} -> nothing
----
14  found    loop (sequence): repeated-sequence calls=["ask"] times=3
             period 1, 3 times, since 10, seen at 14, in b, burned 3 toolCalls
    escape   alternative b → c
in       c
pending  c#1
spent    2 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3
lesson   repeated-sequence calls=["ask"] times=3

3x call look {"q":"x"} -> nothing
----
21  found    loop (sequence): repeated-sequence calls=["look"] times=3
             period 1, 3 times, since 17, seen at 21, in c, burned 3 toolCalls
    escape   review in c
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["look"] times=3 until 1h
spent    3 steps, 9 toolCalls
lesson   repeated-sequence calls=["search"] times=3
lesson   repeated-sequence calls=["ask"] times=3
lesson   repeated-sequence calls=["look"] times=3

resume approved to=act
----
in       act
pending  act#2
spent    3 steps, 9 toolCalls
lesson   repeated-sequence calls=["search"] times=3
lesson   repeated-sequence calls=["ask"] times=3
lesson   repeated-sequence calls=["look"] times=3

3x call grep {"q":"x"} -> nothing
----
29  found    loop (sequence): repeated-sequence calls=["grep"] times=3
             period 1, 3 times, since 25, seen at 29, in act, burned 3 toolCalls
    escape   review in act
in       review
pending  review#2 asks 'ask-route' because repeated-sequence calls=["grep"] times=3 until 1h
spent    4 steps, 12 toolCalls
lesson   repeated-sequence calls=["search"] times=3
lesson   repeated-sequence calls=["ask"] times=3
lesson   repeated-sequence calls=["look"] times=3
lesson   repeated-sequence calls=["grep"] times=3
