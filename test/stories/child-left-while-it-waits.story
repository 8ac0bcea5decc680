# A message interrupts a thread whose child waits for a person. The child is cancelled, and its reserved budget is returned before the
# next round begins its own child.
graph:
  rounds: { busy: interrupt }
  nodes:
    sub: { use: graph, graph: worker, on: { done: end, error: bad } }
    bad: { final: failure }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: ask
      channels: { item: {} }
      nodes:
        ask: { use: human, question: 'Ok?', deadline: 2h, on: { human.approved: good, human.rejected: bad, human.expired: bad } }
        good: { final: success }
        bad: { final: failure }
world: {}

drive
----
0   0s      thread.started   {}
1   0s      turn.started     sub#1
2   0s      child.started    sub#1/1 worker may spend 99 steps
3   0s      child.waiting    sub#1 rests on sub#1/1
child    sub#1/1 (worker): in ask; pending ask#1 asks 'Ok?' until 2h; spent nothing
in       sub
pending  sub#1 rests on sub#1/1
spent    1 steps

submit message {}
drive
show sub#1/1
----
4   0s      message          {}  ⇒ cancelled
            ended    cancelled: interrupted, result {}
5   0s      round.started
6   0s      child.done       sub#1/1 worker → cancelled: parent-continued {"item":null}
7   0s      turn.started     sub#2 by driver 2
8   0s      child.started    sub#2/1 worker may spend 98 steps
9   0s      child.waiting    sub#2 rests on sub#2/1
  0   0s      thread.started   {}
  1   0s      cancel           parent-continued  ⇒ cancelled
              ended    cancelled: parent-continued, result {"item":null}
child    sub#1/1 (worker): ended cancelled: parent-continued; spent nothing
child    sub#2/1 (worker): in ask; pending ask#1 asks 'Ok?' until 2h; spent nothing
round    2
in       sub
pending  sub#2 rests on sub#2/1
spent    2 steps

