# A `budget` edge is the route when a limit is reached. It grants a quarter more (at least four steps) to finish on another path. The spec
# allows it once here; then the run ends.

graph:
  channels: { n: { type: integer, default: 0 } }
  nodes:
    A: { use: pass, out: [n], on: { done: A, budget: sum } }
    sum: { use: pass, on: { done: A } }
    end: { final: success }
  limits: { steps: 4 }
  escape: { budget: { alternative: { perLoop: 1 } } }

start
node.done {"n":1}; node.done {"n":2}; node.done {"n":3}
----
in       A
pending  A#4
spent    3 steps

node.done {"n":4}; turn
----
9   found    budget (steps): limit-reached unit=steps limit=4 of=thread
             period 1, 1 times, since 1, seen at 9, in A, burned 4 steps
    escape   alternative A → sum
in       sum
pending  sum#1
spent    4 steps
lesson   limit-reached unit=steps limit=4 of=thread

node.done; node.done {"n":5}; node.done {"n":6}; node.done {"n":7}; turn
----
18  found    budget (steps): limit-reached unit=steps limit=8 of=thread
             period 1, 1 times, since 1, seen at 18, in A, burned 8 steps
    escape   stop (budget.steps)
    ended    stopped: budget.steps because limit-reached unit=steps limit=8 of=thread, result {"n":7}
ended    stopped: budget.steps because limit-reached unit=steps limit=8 of=thread
spent    8 steps
lesson   limit-reached unit=steps limit=4 of=thread
lesson   limit-reached unit=steps limit=8 of=thread
