# A restart after a crash is not a fault if the node makes progress in between.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
turn.started try=1; call read {"page":1} -> one
turn.started try=2; call read {"page":2} -> two
turn.started try=3; call read {"page":3} -> three
turn.started try=4
node.done
----
11  ended    success: goal, result {}
ended    success: goal
spent    1 steps, 3 toolCalls
