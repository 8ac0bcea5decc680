# A map runs a graph for each item, at most two at once, and keeps the results in order. Some items fail, so the outcome is done.partial.

graph:
  channels: { items: { type: array, default: [a, b, c] }, results: { default: null } }
  nodes:
    each: { use: map, over: items, graph: worker, concurrency: 2, out: results, on: { done: end, done.partial: some } }
    some: { use: pass, on: { done: end } }
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
  graphs: { worker: { tools: { search: { does: [answers 1, after 2s fails HTTP 401, answers 3] } } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     each#1
2   0s      child.started    each#1/1 worker item 1 of 3 may spend 49 steps
3   0s      child.started    each#1/2 worker item 2 of 3 may spend 50 steps (others are still out)
4   0s      child.done       each#1/1 worker item 1 of 3 → success: goal {"found":1} (others are still out)
5   0s      child.started    each#1/3 worker item 3 of 3 may spend 48 steps (others are still out)
6   0s      child.done       each#1/3 worker item 3 of 3 → success: goal {"found":3} (others are still out)
7   2s      child.done       each#1/2 worker item 2 of 3 → failure: failure {"found":null}
8   2s      node.done        each#1 {"results":[{"ok":true,"value":{"found":1}},{"ok":false,"reason":"failure: failure"},{"ok":true,"value":{"found":3}}],"failed":1,"left":0} as partial  ⇒ some
9   2s      turn.started     some#1
10  2s      node.done        some#1 {}  ⇒ end
            ended    success: goal, result {"items":["a","b","c"],"results":{"results":[{"ok":true,"value":{"found":1}},{"ok":false,"reason":"failure: failure"},{"ok":true,"value":{"found":3}}],"failed":1,"left":0}}
child    each#1/1 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    each#1/2 (worker): ended failure: failure; spent 1 steps, 1 toolCalls, 2s
child    each#1/3 (worker): ended success: goal; spent 1 steps, 1 toolCalls
ended    success: goal
spent    5 steps, 3 toolCalls, 2s
