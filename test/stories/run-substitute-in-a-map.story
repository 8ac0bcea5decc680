# The children of a map meet the same dead tool. Its breaker opens for all of them, a substitute answers for each, and later children skip
# the dead tool. None fails.

graph:
  channels: { items: { type: array, default: [a, b, c, d] }, results: { default: null } }
  nodes:
    each: { use: map, over: items, graph: worker, concurrency: 2, out: results, on: { done: end, done.partial: end } }
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
      tools: { search: { use: flaky, substitutes: [backup], breaker: { threshold: 2, reset: 1m } }, backup: { use: flaky } }
      output: [found]
world:
  graphs: { worker: { tools: { search: { does: [fails HTTP 503] }, backup: { does: [answers 1] } } } }

drive
ledger
show each#1/4
----
0   0s      thread.started   {}
1   0s      turn.started     each#1
2   0s      child.started    each#1/1 worker item 1 of 4 may spend 49 steps
3   0s      child.started    each#1/2 worker item 2 of 4 may spend 50 steps (others are still out)
4   0s      child.done       each#1/2 worker item 2 of 4 → success: goal {"found":1} (others are still out)
5   0s      child.started    each#1/3 worker item 3 of 4 may spend 49 steps (others are still out)
6   0s      child.done       each#1/3 worker item 3 of 4 → success: goal {"found":1} (others are still out)
7   0s      child.started    each#1/4 worker item 4 of 4 may spend 48 steps (others are still out)
8   0s      child.done       each#1/4 worker item 4 of 4 → success: goal {"found":1} (others are still out)
9   1.01s   child.done       each#1/1 worker item 1 of 4 → success: goal {"found":1}
10  1.01s   node.done        each#1 {"results":[{"ok":true,"value":{"found":1}},{"ok":true,"value":{"found":1}},{"ok":true,"value":{"found":1}},{"ok":true,"value":{"found":1}}],"failed":0,"left":0}  ⇒ end
            ended    success: goal, result {"items":["a","b","c","d"],"results":{"results":[{"ok":true,"value":{"found":1}},{"ok":true,"value":{"found":1}},{"ok":true,"value":{"found":1}},{"ok":true,"value":{"found":1}}],"failed":0,"left":0}}
ledger   worker.search 2, worker.backup 4
  0   0s      thread.started   {"item":"d"}
  1   0s      turn.started     look#1
  2   0s      call.substituted look#1/1 search is out of order: backup answers
  3   0s      tool.called      look#1/1 backup {} instead of search
  4   0s      tool.done        look#1/1 backup → 1
  5   0s      node.done        look#1 1  ⇒ good
              ended    success: goal, result {"found":1}
child    each#1/1 (worker): ended success: goal; spent 1 steps, 2 toolCalls, 1.01s
child    each#1/2 (worker): ended success: goal; spent 1 steps, 2 toolCalls
child    each#1/3 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    each#1/4 (worker): ended success: goal; spent 1 steps, 1 toolCalls
ended    success: goal
spent    5 steps, 6 toolCalls, 1.01s

