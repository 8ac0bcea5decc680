# A label without an edge falls back to `done`.

graph:
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }

start
node.done label=wonderful
----
2   ended    success: goal, result {}
ended    success: goal
spent    1 steps
