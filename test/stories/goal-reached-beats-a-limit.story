# The event that completes the work also reaches the wall limit. The goal counts as reached.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  limits: { duration: 10m }

start
turn
+11m
node.done
----
2   found    budget (duration): limit-reached unit=duration limit=600000 of=thread
             period 1, 1 times, since 1, seen at 2, in act, burned 1 steps, 11m
    ended    success: goal, result {}
ended    success: goal
spent    1 steps, 11m
