# The work is done with the very event that meets the wall limit: reached is reached.

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
<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
2   found    budget (duration): the limit of 600000 ms is reached
             period 1, 1 times, since 1, seen at 2, in act, burned 1 steps, 11m
=======
2   found    budget (duration): limit-reached unit=wall limit=600000 of=thread
             period 1, 1 times, since 1, seen at 2, in act, burned 1 steps, 11m duration
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
    ended    success: goal, result {}
ended    success: goal
spent    1 steps, 11m
