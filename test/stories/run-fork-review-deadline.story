# An open question at the fork stays open in the fork, with the same remaining time. The fork receives a different answer than its parent.

graph:
  nodes:
    ask: { use: human, question: Go on?, deadline: 1h, on: { human.approved: end, human.rejected: failed, human.expired: late } }
    late: { final: failure }
    failed: { final: failure }
    end: { final: success }
world: {}

drive
later 20m
submit resume rejected @ask#1
drive
----
0   0s      thread.started   {}
1   20m     resume           ask#1 rejected  ⇒ failed
            ended    failure: failure, result {}
ended    failure: failure
spent    1 steps

later 5h
fork at 0 as refuse
drive
----
thread   story-refuse
1   5h20m   forked           from story after 0, effects refuse
in       ask
pending  ask#1 asks 'Go on?' until 6h20m
spent    nothing

later 50m
drive
----
thread   story-refuse
in       ask
pending  ask#1 asks 'Go on?' until 6h20m
spent    nothing

later 20m
drive
----
thread   story-refuse
2   6h30m   tick             ask#1  ⇒ late
            ended    failure: review.expired because review-expired, result {}
ended    failure: review.expired because review-expired
spent    1 steps
