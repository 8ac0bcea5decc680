# A graph and its child share a scope. The spending of the child counts once, before and after its end.

graph:
  channels: { found: { default: null } }
  nodes:
    sub: { use: graph, graph: worker, out: found, on: { done: end, error: plan_b } }
    plan_b: { use: pass, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: { toolCalls: 7, per: 1d, key: nightly } } }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      channels: { found: { default: null } }
      nodes:
        look: { use: ./x.ts#y, on: { done: sure } }
        sure: { use: human, question: Is it enough?, deadline: 1h, on: { human.approved: good, human.rejected: good, human.expired: good } }
        good: { final: success }
      tools: { search: { use: flaky } }
      output: [found]
      limits: { scopes: { job: { toolCalls: 7, per: 1d, key: nightly } } }
world:
  graphs: { worker: { nodes: { look: ['call search {"q":1}', 'call search {"q":2}'] }, tools: { search: { does: [answers 1] } } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     sub#1
2   0s      child.started    sub#1/1 worker may spend 99 steps, 7 toolCalls
3   0s      child.waiting    sub#1 rests on sub#1/1
child    sub#1/1 (worker): in sure; pending sure#1 asks 'Is it enough?' until 1h; spent 1 steps, 2 toolCalls
in       sub
pending  sub#1 rests on sub#1/1
spent    1 steps

thread second
drive
----
thread   second
0   0s      thread.started   {}
1   0s      scope.noted      job (nightly) others spent 2 toolCalls
2   0s      turn.started     sub#1
3   0s      child.started    sub#1/1 worker may spend 99 steps, 5 toolCalls
4   0s      child.waiting    sub#1 rests on sub#1/1
in       sub
pending  sub#1 rests on sub#1/1
spent    1 steps

thread story
submit resume approved in=sub#1/1 @sure#1
drive child sub#1/1
drive
----
thread   story
4   0s      scope.noted      job (nightly) others spent 2 toolCalls
5   0s      child.ended      sub#1/1
6   0s      turn.started     sub#1 by driver 2
7   0s      child.done       sub#1/1 worker → success: goal {"found":null}
8   0s      node.done        sub#1 {"found":null}  ⇒ end
            ended    success: goal, result {"found":{"found":null}}
child    sub#1/1 (worker): ended success: goal; spent 2 steps, 2 toolCalls
ended    success: goal
spent    3 steps, 2 toolCalls

thread third
drive
----
thread   third
0   0s      thread.started   {}
1   0s      scope.noted      job (nightly) others spent 4 toolCalls
2   0s      turn.started     sub#1
3   0s      child.started    sub#1/1 worker may spend 99 steps, 3 toolCalls
4   0s      child.waiting    sub#1 rests on sub#1/1
child    sub#1/1 (worker): in sure; pending sure#1 asks 'Is it enough?' until 1h; spent 1 steps, 2 toolCalls
in       sub
pending  sub#1 rests on sub#1/1
spent    1 steps
