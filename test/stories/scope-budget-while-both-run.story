# Two concurrent threads share a budget. Each receives the spending of the other within half a second.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end, budget: enough } }
    enough: { final: failure }
    end: { final: success }
  limits: { scopes: { job: { toolCalls: 5 } } }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}', 'call search {"q":3}', 'call search {"q":4}', 'call search {"q":5}'] }
  tools: { search: { does: [after 1s answers one, after 1s answers two, after 1s answers three, after 1s answers four, after 1s answers five, after 1s answers six] } }

drive beside second
ledger
----
thread   story
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0.5s    scope.noted      job (story) others spent 1 toolCalls
4   1s      tool.done        work#1/1 search → "one"
5   1s      tool.called      work#1/2 search {"q":2}
6   1s      scope.noted      job (story) others spent 2 toolCalls
7   2s      tool.done        work#1/2 search → "three"
8   2s      tool.called      work#1/3 search {"q":3}
9   2s      scope.noted      job (story) others spent 3 toolCalls
10  3s      tool.done        work#1/3 search → "five"
11  3s      tool.called      work#1/4 search {"q":4}  ⇒ enough
            found    budget (scope.job.toolCalls): limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
                     period 1, 1 times, since 1, seen at 11, in work, burned 1 steps, 3 toolCalls, 3s
            escape   alternative work → enough
            ended    failure: failure, result {}
ledger   search 6
ended    failure: failure
spent    1 steps, 3 toolCalls, 3s
lesson   limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
thread   second
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0.5s    scope.noted      job (story) others spent 1 toolCalls
4   1s      tool.done        work#1/1 search → "two"
5   1s      tool.called      work#1/2 search {"q":2}
6   1s      scope.noted      job (story) others spent 2 toolCalls
7   2s      tool.done        work#1/2 search → "four"
8   2s      tool.called      work#1/3 search {"q":3}
9   2s      scope.noted      job (story) others spent 3 toolCalls
10  3s      tool.done        work#1/3 search → "six"
11  3s      tool.called      work#1/4 search {"q":4}  ⇒ enough
            found    budget (scope.job.toolCalls): limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
                     period 1, 1 times, since 1, seen at 11, in work, burned 1 steps, 3 toolCalls, 3s
            escape   alternative work → enough
            ended    failure: failure, result {}
ended    failure: failure
spent    1 steps, 3 toolCalls, 3s
lesson   limit-reached unit=toolCalls limit=5 of=scope scope=job key=story
