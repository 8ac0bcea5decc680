# All threads of a job share five calls. The second makes what the first has left, and the third none. After a day the spending expires.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: { toolCalls: 5, per: 1d } } }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}', 'call search {"q":3}'] }
  tools: { search: { does: [answers one, answers two, answers three, answers four, answers five, answers six, answers seven, answers eight] } }

drive
later 1h
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
1   0s      scope.noted      job (story) others spent 3 toolCalls
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {"q":1}
4   0s      tool.done        work#1/1 search → "four"
5   0s      tool.called      work#1/2 search {"q":2}
6   0s      tool.done        work#1/2 search → "five"
7   0s      tool.called      work#1/3 search {"q":3}  ⇒ stopped
            found    budget (scope.job.toolCalls): limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
                     period 1, 1 times, since 2, seen at 7, in work, burned 1 steps, 2 toolCalls
            escape   stop (budget.scope.job.toolCalls)
            ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=5 of=scope scope=job key=story, result {}
ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
spent    1 steps, 2 toolCalls
lesson   limit-reached unit=toolCalls limit=5 of=scope scope=job key=story

later 1h
thread third
drive
ledger
----
thread   third
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent 5 toolCalls
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {"q":1}  ⇒ stopped
            found    budget (scope.job.toolCalls): limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
                     period 1, 1 times, since 2, seen at 3, in work, burned 1 steps
            escape   stop (budget.scope.job.toolCalls)
            ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=5 of=scope scope=job key=story, result {}
ledger   search 5
ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
spent    1 steps
lesson   limit-reached unit=toolCalls limit=5 of=scope scope=job key=story

later 22h
thread fourth
drive
----
thread   fourth
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent 2 toolCalls
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {"q":1}
4   0s      tool.done        work#1/1 search → "six"
5   0s      tool.called      work#1/2 search {"q":2}
6   0s      tool.done        work#1/2 search → "seven"
7   0s      tool.called      work#1/3 search {"q":3}
8   0s      tool.done        work#1/3 search → "eight"
9   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 3 toolCalls

later 3h
thread fifth
drive
----
thread   fifth
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent 3 toolCalls
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {"q":1}
4   0s      tool.done        work#1/1 search → "eight"
5   0s      tool.called      work#1/2 search {"q":2}
6   0s      tool.done        work#1/2 search → "eight"
7   0s      tool.called      work#1/3 search {"q":3}  ⇒ stopped
            found    budget (scope.job.toolCalls): limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
                     period 1, 1 times, since 2, seen at 7, in work, burned 1 steps, 2 toolCalls
            escape   stop (budget.scope.job.toolCalls)
            ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=5 of=scope scope=job key=story, result {}
ended    stopped: budget.scope.job.toolCalls because limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
spent    1 steps, 2 toolCalls
lesson   limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
