# The node times out. Its child is cancelled, then abandoned after at most the grace period, and its spending counts.

graph:
  nodes:
    ask: { use: graph, graph: worker, timeout: 10s, on: { done: end, timeout: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      nodes: { look: { use: tool, tool: search, on: { done: look } } }
      tools: { search: { use: flaky } }
world:
  graphs: { worker: { tools: { search: { does: [after 4s answers 1, after 4s answers 2, ignores the signal 20s answers 3] } } } }

drive
show ask#1/1
----
0   0s      thread.started   {}
1   0s      turn.started     ask#1
2   0s      child.started    ask#1/1 worker may spend 99 steps
3   10s     node.expired     ask#1
4   10s     child.done       ask#1/1 worker → cancelled: node-left {}  ⇒ end
            ended    success: goal, result {}
  0   0s      thread.started   {}
  1   0s      turn.started     look#1
  2   0s      tool.called      look#1/1 search {}
  3   4s      tool.done        look#1/1 search → 1
  4   4s      node.done        look#1 1  ⇒ look
  5   4s      turn.started     look#2
  6   4s      tool.called      look#2/1 search {}
  7   8s      tool.done        look#2/1 search → 2
  8   8s      node.done        look#2 2  ⇒ look
  9   8s      turn.started     look#3
  10  8s      tool.called      look#3/1 search {}
  11  10s     cancel           node-left  ⇒ cancelled
              ended    cancelled: node-left, result {}
child    ask#1/1 (worker): ended cancelled: node-left; spent 3 steps, 3 toolCalls, 10s
ended    success: goal
spent    4 steps, 3 toolCalls, 10s
