# Two states that only wait for each other: each completed wait counts as a step, and the limit ends the run.

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
4   found    budget (steps): limit-reached unit=steps limit=3 of=thread
             period 1, 1 times, since 1, seen at 4, in left right, burned 3 steps, 4s
    escape   stop (budget.steps)
    ended    stopped: budget.steps because limit-reached unit=steps limit=3 of=thread, result {}
ended    stopped: budget.steps because limit-reached unit=steps limit=3 of=thread
spent    3 steps, 4s
lesson   limit-reached unit=steps limit=3 of=thread
