# The remaining budget is divided among the slots of a map. An item that needs more than its share is stopped, and the other continues.

graph:
  channels: { items: { type: array, default: [a, b] } }
  nodes:
    each: { use: map, over: items, graph: worker, concurrency: 2, on: { done: end, done.partial: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      channels: { item: { type: string } }
      nodes: { look: { use: ./look.ts#look, in: [item], on: { done: good } }, good: { final: success } }
      tools: { make: { use: flaky } }
  limits: { toolCalls: 7 }
world:
  graphs: { worker: { nodes: { look: ['call make {"q":1}', 'call make {"q":2}', 'call make {"q":3}', 'call make {"q":4}'] } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     each#1
2   0s      child.started    each#1/1 worker item 1 of 2 may spend 49 steps, 3 toolCalls
3   0s      child.started    each#1/2 worker item 2 of 2 may spend 50 steps, 4 toolCalls (others are still out)
4   0s      child.done       each#1/1 worker item 1 of 2 → stopped: budget.toolCalls {"item":"a"} (others are still out)
5   0s      child.done       each#1/2 worker item 2 of 2 → success: goal {"item":"b"}
6   0s      node.done        each#1 {"results":[{"ok":false,"reason":"stopped: budget.toolCalls"},{"ok":true,"value":{"item":"b"}}],"failed":1,"left":0} as partial  ⇒ end
            ended    success: goal, result {"items":["a","b"]}
child    each#1/1 (worker): ended stopped: budget.toolCalls because limit-reached unit=toolCalls limit=3 of=thread; spent 1 steps, 3 toolCalls; lesson limit-reached unit=toolCalls limit=3 of=thread
child    each#1/2 (worker): ended success: goal; spent 1 steps, 4 toolCalls
ended    success: goal
spent    3 steps, 7 toolCalls
