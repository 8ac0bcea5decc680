# A person may also stop the agent.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h } }

start
3x call search {} -> nothing
resume rejected
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   review in act
8   ended    stopped: review.rejected because review-rejected ← repeated-sequence calls=["search"] times=3, result {}
ended    stopped: review.rejected because review-rejected ← repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
