# A decision counts from the time it was submitted. The process that accepted it dies before driving, and another drives the thread after
# the deadline. A decision that was submitted too late is refused, whenever it is applied.

graph:
  nodes:
    ask: { use: human, question: Go on?, deadline: 1h, on: { human.approved: again, human.expired: again } }
    again: { use: human, question: And now?, deadline: 1h, on: { human.approved: end, human.expired: late } }
    late: { final: failure }
    end: { final: success }
world: {}

drive
later 59m
submit now resume approved @ask#1
later 10m
drive
----
0   0s      thread.started   {}
1   1h9m    resume           ask#1 approved  ⇒ again
in       again
pending  again#1 asks 'And now?' until 2h9m
spent    1 steps

later 2h
submit now resume approved @again#1
drive
----
2   3h9m    tick             again#1  ⇒ late
            ended    failure: review.expired because review-expired, result {}
refused  question-expired question=again#1
ended    failure: review.expired because review-expired
spent    2 steps
