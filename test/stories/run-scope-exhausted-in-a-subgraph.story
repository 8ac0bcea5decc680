# A child graph spends the budget of a scope. The child stops, and so does its parent, because the limit is its own; the edge for errors
# is not taken. The next thread has no budget left.

graph:
  channels: { found: { default: null } }
  nodes:
    sub: { use: graph, graph: worker, out: found, on: { done: end, error: plan_b } }
    plan_b: { use: pass, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: { toolCalls: 2, per: 1d } } }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      channels: { found: { default: null } }
      nodes:
        look: { use: ./x.ts#y, on: { done: good } }
        good: { final: success }
      tools: { search: { use: flaky } }
      output: [found]
      limits: { scopes: { job: { toolCalls: 2, per: 1d } } }
world:
  graphs: { worker: { nodes: { look: ['call search {"q":1}', 'call search {"q":2}', 'call search {"q":3}', 'call search {"q":4}'] }, tools: { search: { does: [answers 1] } } } }

drive
ledger
show sub#1/1
----
0   0s      thread.started   {}
1   0s      turn.started     sub#1
2   0s      child.started    sub#1/1 worker may spend 99 steps, 2 toolCalls
3   0s      child.done       sub#1/1 worker → stopped: budget.toolCalls {"found":null}  ⇒ stopped
            found    budget (scope.job.toolCalls): limit-reached unit=toolCalls limit=2 of=scope scope=job key=story ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls"
                     period 1, 1 times, since 1, seen at 3, in sub, burned 2 steps, 2 toolCalls
            escape   stop (budget.scope.job.toolCalls)
            ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=2 of=scope scope=job key=story ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls", result {"found":null}
ledger   worker.search 2
  0   0s      thread.started   {}
  1   0s      turn.started     look#1
  2   0s      tool.called      look#1/1 search {"q":1}
  3   0s      tool.done        look#1/1 search → 1
  4   0s      tool.called      look#1/2 search {"q":2}
  5   0s      tool.done        look#1/2 search → 1
  6   0s      tool.called      look#1/3 search {"q":3}  ⇒ stopped
              found    budget (toolCalls): limit-reached unit=toolCalls limit=2 of=thread
                       period 1, 1 times, since 1, seen at 6, in look, burned 1 steps, 2 toolCalls
              escape   stop (budget.toolCalls)
              ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=2 of=thread, result {"found":null}
child    sub#1/1 (worker): ended stopped: budget.toolCalls because limit-reached unit=toolCalls limit=2 of=thread; spent 1 steps, 2 toolCalls; lesson limit-reached unit=toolCalls limit=2 of=thread
ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=2 of=scope scope=job key=story ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls"
spent    2 steps, 2 toolCalls
lesson   limit-reached unit=toolCalls limit=2 of=scope scope=job key=story ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls"

thread story-2
drive
ledger
----
thread   story-2
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent 2 toolCalls
2   0s      turn.started     sub#1
3   0s      child.started    sub#1/1 worker may spend 99 steps, 0 toolCalls
4   0s      child.done       sub#1/1 worker → stopped: budget.toolCalls {"found":null}  ⇒ stopped
            found    budget (scope.job.toolCalls): limit-reached unit=toolCalls limit=2 of=scope scope=job key=story ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls"
                     period 1, 1 times, since 2, seen at 4, in sub, burned 2 steps
            escape   stop (budget.scope.job.toolCalls)
            ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=2 of=scope scope=job key=story ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls", result {"found":null}
ledger   worker.search 2
child    sub#1/1 (worker): ended stopped: budget.toolCalls because limit-reached unit=toolCalls limit=0 of=thread; spent 1 steps; lesson limit-reached unit=toolCalls limit=0 of=thread
ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=2 of=scope scope=job key=story ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls"
spent    2 steps
lesson   limit-reached unit=toolCalls limit=2 of=scope scope=job key=story ← call-failed call=worker times=1 ← error message="stopped: budget.toolCalls"

