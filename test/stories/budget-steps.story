# The fourth node is refused before it has done anything: a limit is never gone over. With nobody to ask and no way named, the thread ends.

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
7   found    budget (steps): the limit of 3 steps is reached
             period 1, 1 times, since 1, seen at 7, in A, burned 3 steps
    escape   stop (budget.steps); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.steps, result {"n":3}
ended    stopped: budget.steps
spent    3 steps
