# A cancel takes effect at once, also while a review is open.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h } }

start
3x call search {} -> nothing
cancel enough
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   review in act
8   ended    cancelled: enough, result {}
ended    cancelled: enough
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
