# Without an answer, the question moves to the lead, then to the person on call. Its deadline and its default stay and happen once. After
# a downtime over two steps, only the later one is taken.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h, to: team, escalate: [{ to: lead, after: 15m }, { to: oncall, after: 45m }] } }
world:
  nodes: { work: [call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

drive
later 20m
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "nothing"
4   0s      tool.called      work#1/2 search {}
5   0s      tool.done        work#1/2 search → "nothing"
6   0s      tool.called      work#1/3 search {}
7   0s      tool.done        work#1/3 search → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
            escape   review in work
8   20m     tick             review#1
in       review
pending  review#1 asks lead 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

later 5m
drive
later 25m
drive
drive
----
9   50m     tick             review#1
in       review
pending  review#1 asks oncall 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

later 3h
drive
drive
----
10  3h50m   tick             review#1  ⇒ stopped
            ended    stopped: review.expired because review-expired ← repeated-sequence calls=["search"] times=3, result {}
ended    stopped: review.expired because review-expired ← repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
