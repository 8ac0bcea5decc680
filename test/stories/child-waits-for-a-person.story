# A child asks a person. Its parent waits as well and spends nothing. The driver that completes the child wakes the parent.

graph:
  nodes:
    ask: { use: graph, graph: worker, out: {}, on: { done: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: sure
      nodes:
        sure: { use: human, question: May it be published?, deadline: 1h, on: { human.approved: good, human.rejected: bad, human.expired: bad } }
        good: { final: success }
        bad: { final: failure }
world: {}

drive
----
0   0s      thread.started   {}
1   0s      turn.started     ask#1
2   0s      child.started    ask#1/1 worker may spend 99 steps
3   0s      child.waiting    ask#1 rests on ask#1/1
child    ask#1/1 (worker): in sure; pending sure#1 asks 'May it be published?' until 1h; spent nothing
in       ask
pending  ask#1 rests on ask#1/1
spent    1 steps

later 10m
submit resume approved in=ask#1/1 @sure#1
drive child ask#1/1
drive
----
4   10m     child.ended      ask#1/1
5   10m     turn.started     ask#1 by driver 2
6   10m     child.done       ask#1/1 worker → success: goal {}
7   10m     node.done        ask#1 {}  ⇒ end
            ended    success: goal, result {}
child    ask#1/1 (worker): ended success: goal; spent 1 steps
ended    success: goal
spent    2 steps
