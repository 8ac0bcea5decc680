# A graph that ends in its own failure state completed with a negative result: an error.business. A graph that was stopped is an
# error.persistent.

graph:
  nodes:
    ask: { use: graph, graph: worker, on: { done: end, error.business: again } }
    again: { use: graph, graph: stopper, on: { done: end, error.persistent: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      nodes: { look: { use: pass, on: { done: bad } }, bad: { final: failure } }
    stopper:
      escapement: 1
      id: stopper
      start: look
      nodes: { look: { use: tool, tool: search, on: { done: good } }, good: { final: success } }
      tools: { search: { use: flaky } }
world:
  graphs: { stopper: { tools: { search: { does: [fails HTTP 401] } } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     ask#1
2   0s      child.started    ask#1/1 worker may spend 99 steps
3   0s      child.done       ask#1/1 worker → failure: failure {}
4   0s      node.failed      ask#1 ChildFailed: graph-failed graph=worker outcome=failure thread=story/ask#1/1 ← ended-in-failure [business, request, by child]  ⇒ again
5   0s      turn.started     again#1
6   0s      child.started    again#1/1 stopper may spend 97 steps
7   0s      child.done       again#1/1 stopper → stopped: failure.persistent {}
8   0s      node.failed      again#1 ChildFailed: graph-failed graph=stopper outcome=stopped thread=story/again#1/1 ← node-failed node=look ← error message="HTTP 401" class=persistent status=401 [persistent, request, by child]  ⇒ other
9   0s      turn.started     other#1
10  0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
child    ask#1/1 (worker): ended failure: failure; spent 1 steps
child    again#1/1 (stopper): ended stopped: failure.persistent because node-failed node=look ← error message="HTTP 401" class=persistent status=401; spent 1 steps, 1 toolCalls; lesson node-failed node=look ← error message="HTTP 401" class=persistent status=401
ended    success: goal
spent    5 steps, 1 toolCalls
