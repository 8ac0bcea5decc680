# The fourth node is refused before it runs, because a limit is never exceeded. Without a reviewer and a `budget` edge, the thread ends.

graph:
  channels: { n: { type: integer, default: 0 } }
  nodes:
    A: { use: pass, out: [n], on: { done: A } }
    end: { final: success }
  limits: { steps: 3 }

start
node.done {"n":1}; node.done {"n":2}
----
in       A
pending  A#3
spent    2 steps

node.done {"n":3}
turn
----
7   found    budget (steps): limit-reached unit=steps limit=3 of=thread
             period 1, 1 times, since 1, seen at 7, in A, burned 3 steps
    escape   stop (budget.steps)
    ended    stopped: budget.steps because limit-reached unit=steps limit=3 of=thread, result {"n":3}
ended    stopped: budget.steps because limit-reached unit=steps limit=3 of=thread
spent    3 steps
lesson   limit-reached unit=steps limit=3 of=thread
