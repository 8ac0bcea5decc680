# The limit of a round starts over with each round and applies within it. The limit of the thread keeps counting. A message cannot spend
# what the thread has already used up.

graph:
  nodes:
    work: { use: pass, on: { done: work, done.enough: end } }
    end: { final: success }
  detect: { recurrence: false }
  limits: { steps: 5, round: { steps: 3 } }

start
3x node.done
----
in       work
pending  work#4
spent    3 steps

node.done
----
7   found    budget (round.steps): limit-reached unit=steps limit=3 of=round
             period 1, 1 times, since 1, seen at 7, in work, burned 3 steps
    escape   stop (budget.round.steps)
    ended    stopped: budget.round.steps because limit-reached unit=steps limit=3 of=round, result {}
8   ignored
ended    stopped: budget.round.steps because limit-reached unit=steps limit=3 of=round
spent    3 steps
lesson   limit-reached unit=steps limit=3 of=round

message {}
node.done
node.done label=enough
----
13  ended    success: goal, result {}
round    2
ended    success: goal
spent    5 steps
lesson   limit-reached unit=steps limit=3 of=round

message {}
node.done
----
15  found    budget (steps): limit-reached unit=steps limit=5 of=thread
             period 1, 1 times, since 1, seen at 15, in work, burned 5 steps
    escape   stop (budget.steps)
    ended    stopped: budget.steps because limit-reached unit=steps limit=5 of=thread, result {}
16  ignored
round    3
ended    stopped: budget.steps because limit-reached unit=steps limit=5 of=thread
spent    5 steps
lesson   limit-reached unit=steps limit=3 of=round
lesson   limit-reached unit=steps limit=5 of=thread
