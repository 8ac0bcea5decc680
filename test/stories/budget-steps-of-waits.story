# Two states that only wait for one another: each wait that is over is a step, and the limit ends the run.

machine: clockwork

start
+1s
tick @left
+1s
tick @right
+1s
tick @left
+1s
tick @right
----
4   found    budget (steps): the limit of 3 steps is reached
             period 1, 1 times, since 1, seen at 4, in left right, burned 3 steps, 4s
    escape   stop (budget.steps); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.steps, result {}
ended    stopped: budget.steps
spent    3 steps, 4s
