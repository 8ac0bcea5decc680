# Two of three items ask a person. The map continues with the third and waits when no other work is left. Each answer continues it.

graph:
  channels: { items: { type: array, default: [a, b, c] } }
  nodes:
    each: { use: map, over: items, graph: worker, concurrency: 3, on: { done: end, done.partial: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      input: [item]
      channels: { item: { type: string } }
      nodes:
        look: { use: tool, tool: search, in: [item], when: { sure: "output == 'sure'" }, on: { done: ask, done.sure: good } }
        ask: { use: human, question: Is this it?, deadline: 1h, on: { human.approved: good, human.rejected: bad, human.expired: bad } }
        good: { final: success }
        bad: { final: failure }
      tools: { search: { use: flaky } }
world:
  graphs: { worker: { tools: { search: { does: [answers perhaps, after 3s answers sure, answers perhaps] } } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     each#1
2   0s      child.started    each#1/1 worker item 1 of 3 may spend 33 steps
3   0s      child.started    each#1/2 worker item 2 of 3 may spend 33 steps (others are still out)
4   0s      child.started    each#1/3 worker item 3 of 3 may spend 33 steps (others are still out)
5   3s      child.done       each#1/2 worker item 2 of 3 → success: goal {"item":"b"} (others are still out)
6   3s      child.waiting    each#1 rests on each#1/1, each#1/3
child    each#1/1 (worker): in ask; pending ask#1 asks 'Is this it?' until 1h; spent 1 steps, 1 toolCalls
child    each#1/2 (worker): ended success: goal; spent 1 steps, 1 toolCalls, 3s
child    each#1/3 (worker): in ask; pending ask#1 asks 'Is this it?' until 1h; spent 1 steps, 1 toolCalls
in       each
pending  each#1 rests on each#1/1
spent    2 steps, 1 toolCalls, 3s

submit resume rejected in=each#1/1 @ask#1
drive child each#1/1
drive
----
7   3s      child.ended      each#1/1
8   3s      turn.started     each#1 by driver 2
9   3s      child.done       each#1/1 worker item 1 of 3 → failure: failure {"item":"a"} (others are still out)
10  3s      child.waiting    each#1 rests on each#1/3
child    each#1/1 (worker): ended failure: failure; spent 2 steps, 1 toolCalls
in       each
pending  each#1 rests on each#1/3
spent    4 steps, 2 toolCalls, 3s

later 2h
drive child each#1/3
drive
----
11  2h3s    child.ended      each#1/3
12  2h3s    turn.started     each#1 by driver 3
13  2h3s    child.done       each#1/3 worker item 3 of 3 → failure: review.expired {"item":"c"}
14  2h3s    node.done        each#1 {"results":[{"ok":false,"reason":"failure: failure"},{"ok":true,"value":{"item":"b"}},{"ok":false,"reason":"failure: review.expired"}],"failed":2,"left":0} as partial  ⇒ end
            ended    success: goal, result {"items":["a","b","c"]}
child    each#1/3 (worker): ended failure: review.expired because review-expired; spent 2 steps, 1 toolCalls
ended    success: goal
spent    6 steps, 3 toolCalls, 3s
