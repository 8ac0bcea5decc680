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
<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
4   found    budget (steps): the limit of 3 steps is reached
             period 1, 1 times, since 1, seen at 4, in left right, burned 3 steps, 4s
    escape   stop (budget.steps); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.steps, result {}
ended    stopped: budget.steps
spent    3 steps, 4s
=======
4   found    budget (steps): limit-reached unit=steps limit=3 of=thread
             period 1, 1 times, since 1, seen at 4, in left right, burned 3 steps, 4s duration
    escape   stop (budget.steps)
    ended    stopped: budget.steps because limit-reached unit=steps limit=3 of=thread, result {}
ended    stopped: budget.steps because limit-reached unit=steps limit=3 of=thread
spent    3 steps, 4s duration
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
