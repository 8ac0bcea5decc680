# A child spends from what remains of the budget of its parent, whatever its own limits are, and spending counts for both. The second
# child finds one call left.

graph:
  nodes:
    one: { use: graph, graph: worker, on: { done: two } }
    two: { use: graph, graph: worker, on: { done: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      nodes: { look: { use: ./look.ts#look, on: { done: good } }, good: { final: success } }
      tools: { search: { use: flaky } }
      limits: { steps: 50, toolCalls: 40 }
  tools: { search: { use: flaky } }
  limits: { toolCalls: 4 }
world:
  graphs: { worker: { nodes: { look: ['call search {"q":1}', 'call search {"q":2}', 'call search {"q":3}'] } } }

drive
show two#1/1
----
0   0s      thread.started   {}
1   0s      turn.started     one#1
2   0s      child.started    one#1/1 worker may spend 50 steps, 4 toolCalls
3   0s      child.done       one#1/1 worker → success: goal {}
4   0s      node.done        one#1 {}  ⇒ two
5   0s      turn.started     two#1
6   0s      child.started    two#1/1 worker may spend 50 steps, 1 toolCalls
7   0s      child.done       two#1/1 worker → stopped: budget.toolCalls {}  ⇒ stopped
            found    budget (toolCalls): limit-reached unit=toolCalls limit=4 of=thread ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls"
                     period 1, 1 times, since 1, seen at 7, in two, burned 4 steps, 4 toolCalls
            escape   stop (budget.toolCalls)
            ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=4 of=thread ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls", result {}
  0   0s      thread.started   {}
  1   0s      turn.started     look#1
  2   0s      tool.called      look#1/1 search {"q":1}
  3   0s      tool.done        look#1/1 search → null
  4   0s      tool.called      look#1/2 search {"q":2}  ⇒ stopped
              found    budget (toolCalls): limit-reached unit=toolCalls limit=1 of=thread
                       period 1, 1 times, since 1, seen at 4, in look, burned 1 steps, 1 toolCalls
              escape   stop (budget.toolCalls)
              ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=1 of=thread, result {}
child    one#1/1 (worker): ended success: goal; spent 1 steps, 3 toolCalls
child    two#1/1 (worker): ended stopped: budget.toolCalls because limit-reached unit=toolCalls limit=1 of=thread; spent 1 steps, 1 toolCalls; lesson limit-reached unit=toolCalls limit=1 of=thread
ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=4 of=thread ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls"
spent    4 steps, 4 toolCalls
lesson   limit-reached unit=toolCalls limit=4 of=thread ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls"
