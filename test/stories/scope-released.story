# An operator releases a scope. The spending and the loops of its threads are dropped, and the next thread begins.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: { toolCalls: 3, key: nightly } } }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}', 'call search {"q":3}'] }
  tools: { search: { does: [answers one, answers two, answers three, answers four, answers five, answers six] } }

drive
thread second
drive
----
thread   story
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      tool.done        work#1/1 search → "one"
4   0s      tool.called      work#1/2 search {"q":2}
5   0s      tool.done        work#1/2 search → "two"
6   0s      tool.called      work#1/3 search {"q":3}
7   0s      tool.done        work#1/3 search → "three"
8   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 3 toolCalls
thread   second
0   0s      thread.started   {}
1   0s      scope.noted      job (nightly) others spent 3 toolCalls
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {"q":1}  ⇒ stopped
            found    budget (scope.job.toolCalls): limit-reached unit=toolCalls limit=3 of=scope scope=job key=nightly
                     period 1, 1 times, since 2, seen at 3, in work, burned 1 steps
            escape   stop (budget.scope.job.toolCalls)
            ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=3 of=scope scope=job key=nightly, result {}
ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=3 of=scope scope=job key=nightly
spent    1 steps
lesson   limit-reached unit=toolCalls limit=3 of=scope scope=job key=nightly

release job=nightly
thread third
drive
----
thread   third
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      tool.done        work#1/1 search → "four"
4   0s      tool.called      work#1/2 search {"q":2}
5   0s      tool.done        work#1/2 search → "five"
6   0s      tool.called      work#1/3 search {"q":3}
7   0s      tool.done        work#1/3 search → "six"
8   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 3 toolCalls
