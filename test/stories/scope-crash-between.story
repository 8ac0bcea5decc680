# The process dies after its thread recorded notes about the others. The thread continues with them and records only new ones.

graph:
  tools: { search: { use: flaky }, nap: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: { toolCalls: 9 } } }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}', 'call nap'] }
  tools: { search: { does: [answers one, answers two, answers three, answers four] }, nap: { does: [answers slept, dies, answers slept] } }

drive
thread second
drive
drive
----
thread   story
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      tool.done        work#1/1 search → "one"
4   0s      tool.called      work#1/2 search {"q":2}
5   0s      tool.done        work#1/2 search → "two"
6   0s      tool.called      work#1/3 nap {}
7   0s      tool.done        work#1/3 nap → "slept"
8   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 3 toolCalls
thread   second
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent 3 toolCalls
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {"q":1}
4   0s      tool.done        work#1/1 search → "three"
5   0s      tool.called      work#1/2 search {"q":2}
6   0s      tool.done        work#1/2 search → "four"
7   0s      tool.called      work#1/3 nap {}
8   0s      turn.started     work#1 by driver 2
9   0s      tool.called      work#1/3 nap {}
10  0s      tool.done        work#1/3 nap → "slept"
11  0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
thrown   Error: the process is gone
ended    success: goal
spent    1 steps, 4 toolCalls
