# A decision counts from when it was said: the process that took it died before it drove, and another drives the thread when the time to
# answer is over. One that was said too late is refused, however it is heard.

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
