# The first successful item is enough. The others are cancelled, and pending items never start.

graph:
  channels: { items: { type: array, default: [a, b, c, d] } }
  nodes:
    each: { use: map, over: items, graph: worker, concurrency: 3, join: any, on: { done: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      input: [item]
      channels: { item: { type: string }, found: { default: null } }
      nodes:
        look: { use: tool, tool: search, in: [item], out: found, on: { done: good, error: bad } }
        good: { final: success }
        bad: { final: failure }
      tools: { search: { use: flaky } }
      output: [found]
world:
  graphs: { worker: { tools: { search: { does: [after 9s answers 1, after 1s fails HTTP 401, after 2s answers 3] } } } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     each#1
2   0s      child.started    each#1/1 worker item 1 of 4 may spend 33 steps
3   0s      child.started    each#1/2 worker item 2 of 4 may spend 33 steps (others are still out)
4   0s      child.started    each#1/3 worker item 3 of 4 may spend 33 steps (others are still out)
5   1s      child.done       each#1/2 worker item 2 of 4 → failure: failure {"found":null} (others are still out)
6   1s      child.started    each#1/4 worker item 4 of 4 may spend 32 steps (others are still out)
7   2s      child.done       each#1/3 worker item 3 of 4 → success: goal {"found":3} (others are still out)
8   2s      child.done       each#1/1 worker item 1 of 4 → cancelled: enough-succeeded {"found":null} (others are still out)
9   2s      child.done       each#1/4 worker item 4 of 4 → cancelled: enough-succeeded {"found":null}
10  2s      node.done        each#1 {"results":[{"ok":false,"reason":"cancelled: enough-succeeded"},{"ok":false,"reason":"failure: failure"},{"ok":true,"value":{"found":3}},{"ok":false,"reason":"cancelled: enough-succeeded"}],"failed":1,"left":0}  ⇒ end
            ended    success: goal, result {"items":["a","b","c","d"]}
ledger   worker.search 4
child    each#1/1 (worker): ended cancelled: enough-succeeded; spent 1 steps, 1 toolCalls, 2s
child    each#1/2 (worker): ended failure: failure; spent 1 steps, 1 toolCalls, 1s
child    each#1/3 (worker): ended success: goal; spent 1 steps, 1 toolCalls, 2s
child    each#1/4 (worker): ended cancelled: enough-succeeded; spent 1 steps, 1 toolCalls, 1s
ended    success: goal
spent    5 steps, 4 toolCalls, 2s
