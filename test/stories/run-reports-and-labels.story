# A node may add notes to the journal and name its own outcome.

graph:
  channels: { count: { type: integer, default: 0 } }
  nodes:
    work: { use: ./work.ts#work, out: [count], on: { done.many: end, done: work } }
    end: { final: success }
world:
  nodes: { work: [reports half of it, 'returns {"count":3}', label many] }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      reported         work#1/1 "half of it"
3   0s      node.done        work#1 {"count":3} as many  ⇒ end
            ended    success: goal, result {"count":3}
ended    success: goal
spent    1 steps
