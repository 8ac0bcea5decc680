# The process dies in the middle of a map. Completed items are not repeated, active ones continue, and the others start.

graph:
  channels: { items: { type: array, default: [a, b, c] } }
  nodes:
    each: { use: map, over: items, graph: worker, concurrency: 2, on: { done: end, done.partial: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      input: [item]
      channels: { item: { type: string }, found: { default: null } }
      nodes: { look: { use: tool, tool: search, in: [item], out: found, on: { done: good } }, good: { final: success } }
      tools: { search: { use: flaky } }
      output: [found]
world:
  graphs: { worker: { tools: { search: { does: [answers 1, after 5s dies, answers 3, answers 2] } } } }

drive
drive as other
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     each#1
2   0s      child.started    each#1/1 worker item 1 of 3 may spend 49 steps
3   0s      child.started    each#1/2 worker item 2 of 3 may spend 50 steps (others are still out)
4   0s      child.done       each#1/1 worker item 1 of 3 → success: goal {"found":1} (others are still out)
5   0s      child.started    each#1/3 worker item 3 of 3 may spend 48 steps (others are still out)
6   0s      child.done       each#1/3 worker item 3 of 3 → success: goal {"found":3} (others are still out)
7   5s      turn.started     each#1 by driver 2
8   5s      child.done       each#1/2 worker item 2 of 3 → success: goal {"found":2}
9   5s      node.done        each#1 {"results":[{"ok":true,"value":{"found":1}},{"ok":true,"value":{"found":2}},{"ok":true,"value":{"found":3}}],"failed":0,"left":0}  ⇒ end
            ended    success: goal, result {"items":["a","b","c"]}
thrown   Error: the process is gone
ledger   worker.search 4
child    each#1/1 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    each#1/2 (worker): ended success: goal; spent 1 steps, 2 toolCalls
child    each#1/3 (worker): ended success: goal; spent 1 steps, 1 toolCalls
ended    success: goal
spent    4 steps, 4 toolCalls
