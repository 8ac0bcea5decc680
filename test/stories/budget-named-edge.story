# A `budget` edge is the way out when a limit is met: it grants a quarter more (four steps at least), to finish another way. It may be
# taken once here; then it is over.

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
9   found    budget (steps): the limit of 4 steps is reached
             period 1, 1 times, since 1, seen at 9, in A, burned 4 steps
    escape   alternative A → sum; not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place
in       sum
pending  sum#1
spent    4 steps
lesson   the limit of 4 steps is reached

node.done; node.done {"n":5}; node.done {"n":6}; node.done {"n":7}; turn
----
18  found    budget (steps): the limit of 8 steps is reached
             period 1, 1 times, since 1, seen at 18, in A, burned 8 steps
    escape   stop (budget.steps); not retry: the ladder is past it; not rethink: the ladder is past it; not substitute: the ladder is past it; not alternative: taken 1 times for this loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.steps, result {"n":7}
ended    stopped: budget.steps
spent    8 steps
lesson   the limit of 4 steps is reached
