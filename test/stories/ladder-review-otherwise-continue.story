# The spec lets an unanswered review continue where the agent was. The ladder is then past the review.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h, otherwise: continue } }

start
3x call search {} -> nothing
+1h
tick
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   review in act
in       act
pending  act#2
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

3x call search {} -> nothing
----
15  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 11, seen at 15, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["search"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["search"] times=3
spent    2 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3
