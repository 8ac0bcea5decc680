# Cancelling the parent cancels a working child, and its spending counts. A child that waits for a person is cancelled, too.

graph:
  nodes:
    ask: { use: graph, graph: worker, on: { done: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      nodes: { look: { use: tool, tool: search, on: { done: sure } }, sure: { use: human, question: Sure?, deadline: 1h, on: { human.approved: good, human.expired: good } }, good: { final: success } }
      tools: { search: { use: flaky } }
world:
  graphs: { worker: { tools: { search: { does: [after 20s answers late, answers soon] } } } }

after 5s submit cancel enough
drive
show ask#1/1
----
0   0s      thread.started   {}
1   0s      turn.started     ask#1
2   0s      child.started    ask#1/1 worker may spend 99 steps
3   5s      cancel           enough  ⇒ cancelled
            ended    cancelled: enough, result {}
4   5s      child.done       ask#1/1 worker → cancelled: node-left {}
            ignored
  0   0s      thread.started   {}
  1   0s      turn.started     look#1
  2   0s      tool.called      look#1/1 search {}
  3   5s      cancel           node-left  ⇒ cancelled
              ended    cancelled: node-left, result {}
child    ask#1/1 (worker): ended cancelled: node-left; spent 1 steps, 1 toolCalls, 5s
ended    cancelled: enough
spent    2 steps, 1 toolCalls, 5s

thread second
drive
submit cancel enough
drive
----
thread   second
0   0s      thread.started   {}
1   0s      turn.started     ask#1
2   0s      child.started    ask#1/1 worker may spend 99 steps
3   0s      child.waiting    ask#1 rests on ask#1/1
4   0s      cancel           enough  ⇒ cancelled
            ended    cancelled: enough, result {}
5   0s      child.done       ask#1/1 worker → cancelled: parent-continued {}
            ignored
child    ask#1/1 (worker): ended cancelled: parent-continued; spent 1 steps, 1 toolCalls
ended    cancelled: enough
spent    2 steps, 1 toolCalls
