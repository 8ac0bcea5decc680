# No answer arrives. The default applies exactly once, at the deadline, and a later decision is ignored.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h } }

start
3x call search {} -> nothing
+59m
tick
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   review in act
8   ignored
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

+1m
tick
----
9   ended    stopped: review.expired because review-expired ← repeated-sequence calls=["search"] times=3, result {}
ended    stopped: review.expired because review-expired ← repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

resume approved @review#1 to=act; tick @review#1
----
10  ignored
11  ignored
ended    stopped: review.expired because review-expired ← repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
