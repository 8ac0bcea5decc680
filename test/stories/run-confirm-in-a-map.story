# Each child of a map asks for confirmation of its own write. Waiting children keep their slots, and answers arrive in any order. The map
# continues when all have ended.

graph:
  channels: { items: { type: array, default: [a, b, c] }, results: { default: null } }
  nodes:
    each: { use: map, over: items, graph: worker, concurrency: 2, out: results, on: { done: end, done.partial: some } }
    some: { final: failure }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      input: [item]
      channels: { item: { type: string }, found: { default: null } }
      nodes:
        look: { use: tool, tool: pay, in: [item], out: found, on: { done: good, error: bad } }
        good: { final: success }
        bad: { final: failure }
      tools: { pay: { use: flaky, effects: write, confirm: always } }
      output: [found]
world:
  graphs: { worker: { tools: { pay: { does: [answers paid] } } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     each#1
2   0s      child.started    each#1/1 worker item 1 of 3 may spend 49 steps
3   0s      child.started    each#1/2 worker item 2 of 3 may spend 50 steps (others are still out)
4   0s      child.waiting    each#1 rests on each#1/1, each#1/2
child    each#1/1 (worker): in look; pending look#1 rests on look#1/1, look#1/1? asks 'ask-approval call=pay arguments="{}"' until 1d; spent 1 steps
child    each#1/2 (worker): in look; pending look#1 rests on look#1/1, look#1/1? asks 'ask-approval call=pay arguments="{}"' until 1d; spent 1 steps
in       each
pending  each#1 rests on each#1/1
spent    1 steps

submit resume approved @look#1/1? in=each#1/2
drive child each#1/2
drive
----
5   0s      child.ended      each#1/2
6   0s      turn.started     each#1 by driver 2
7   0s      child.done       each#1/2 worker item 2 of 3 → success: goal {"found":"paid"} (others are still out)
8   0s      child.started    each#1/3 worker item 3 of 3 may spend 49 steps (others are still out)
9   0s      child.waiting    each#1 rests on each#1/1, each#1/3
child    each#1/2 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    each#1/3 (worker): in look; pending look#1 rests on look#1/1, look#1/1? asks 'ask-approval call=pay arguments="{}"' until 1d; spent 1 steps
in       each
pending  each#1 rests on each#1/1
spent    2 steps, 1 toolCalls

submit resume rejected @look#1/1? in=each#1/1
drive child each#1/1
drive
----
10  0s      child.ended      each#1/1
11  0s      turn.started     each#1 by driver 3
12  0s      child.done       each#1/1 worker item 1 of 3 → failure: failure {"found":null} (others are still out)
13  0s      child.waiting    each#1 rests on each#1/3
child    each#1/1 (worker): ended failure: failure; spent 1 steps
in       each
pending  each#1 rests on each#1/3
spent    3 steps, 1 toolCalls

submit resume approved @look#1/1? in=each#1/3
drive child each#1/3
drive
ledger
----
14  0s      child.ended      each#1/3
15  0s      turn.started     each#1 by driver 4
16  0s      child.done       each#1/3 worker item 3 of 3 → success: goal {"found":"paid"}
17  0s      node.done        each#1 {"results":[{"ok":false,"reason":"failure: failure"},{"ok":true,"value":{"found":"paid"}},{"ok":true,"value":{"found":"paid"}}],"failed":1,"left":0} as partial  ⇒ some
            ended    failure: failure, result {"items":["a","b","c"],"results":{"results":[{"ok":false,"reason":"failure: failure"},{"ok":true,"value":{"found":"paid"}},{"ok":true,"value":{"found":"paid"}}],"failed":1,"left":0}}
ledger   worker.pay 2
child    each#1/3 (worker): ended success: goal; spent 1 steps, 1 toolCalls
ended    failure: failure
spent    4 steps, 2 toolCalls

