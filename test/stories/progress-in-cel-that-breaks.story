# A measure of progress that fails at run time measures nothing, and the thread continues.

graph:
  channels: { total: { type: integer } }
  nodes:
    work: { use: pass, out: [total], on: { done: work, done.enough: end } }
    end: { final: success }
  progress: total + 1

start
node.done {"total":1}
node.done label=enough
----
4   ended    success: goal, result {"total":1}
ended    success: goal
spent    2 steps
