# A round's limit begins anew with each round, and is met within it; the thread's limit does not, and goes on counting. Even the least
# message cannot spend what the thread has no more of.

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
7   found    budget (round.steps): the limit of 3 steps a round is reached
             period 1, 1 times, since 1, seen at 7, in work, burned 3 steps
    escape   stop (budget.round.steps); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.round.steps, result {}
8   ignored
ended    stopped: budget.round.steps
spent    3 steps

message {}
node.done
node.done label=enough
----
13  ended    success: goal, result {}
round    2
ended    success: goal
spent    5 steps

message {}
node.done
----
15  found    budget (steps): the limit of 5 steps is reached
             period 1, 1 times, since 1, seen at 15, in work, burned 5 steps
    escape   stop (budget.steps); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.steps, result {}
16  ignored
round    3
ended    stopped: budget.steps
spent    5 steps
