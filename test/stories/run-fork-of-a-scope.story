# A fork shares the scopes of its parent. The spending that it inherits counts once, because the parent has published it.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: tool, tool: search, on: { done: more } }
    more: { use: tool, tool: search, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: { toolCalls: 5, per: 1d } } }
world:
  tools: { search: { does: [answers one, answers two, answers three, answers four, answers five, answers six] } }

drive
fork at 4 as live
drive
ledger
----
thread   story
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "one"
4   0s      node.done        work#1 "one"  ⇒ more
5   0s      turn.started     more#1
6   0s      tool.called      more#1/1 search {}
7   0s      tool.done        more#1/1 search → "two"
8   0s      node.done        more#1 "two"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 2 toolCalls
thread   story-live
5   0s      forked           from story after 4, effects live
6   0s      scope.noted      job (story) others spent 2 toolCalls
7   0s      turn.started     more#1 by driver 2
8   0s      tool.called      more#1/1 search {}
9   0s      tool.done        more#1/1 search → "three"
10  0s      node.done        more#1 "three"  ⇒ end
            ended    success: goal, result {}
ledger   search 3
ended    success: goal
spent    2 steps, 2 toolCalls

thread story-second
drive
ledger
----
thread   story-second
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent 3 toolCalls
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {}
4   0s      tool.done        work#1/1 search → "four"
5   0s      node.done        work#1 "four"  ⇒ more
6   0s      turn.started     more#1
7   0s      tool.called      more#1/1 search {}
8   0s      tool.done        more#1/1 search → "five"
9   0s      node.done        more#1 "five"  ⇒ end
            ended    success: goal, result {}
ledger   search 5
ended    success: goal
spent    2 steps, 2 toolCalls
