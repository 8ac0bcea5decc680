# A child has written, and its node has ended, so the savepoint is after it. A later rollback does not start the child again.

graph:
  tools: { rent: { use: flaky, effects: write }, look: { use: flaky } }
  graphs:
    courier:
      escapement: 1
      id: courier
      start: carry
      nodes: { carry: { use: tool, tool: carry, args: {}, on: { done: home } }, home: { final: success } }
      tools: { carry: { use: flaky, effects: write } }
  nodes:
    hand: { use: graph, graph: courier, on: { done: fit } }
    fit: { use: ./work.ts#fit, on: { done: end } }
    end: { final: success }
  escape: { ladder: [rollback, stop] }
world:
  nodes: { fit: [call rent, call look, call look, call look] }
  tools: { rent: { does: [answers 7], undo: [answers null] }, carry: { does: [answers carried] }, look: { does: [answers nothing] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     hand#1
2   0s      child.started    hand#1/1 courier may spend 99 steps
3   0s      child.done       hand#1/1 courier → success: goal {}
4   0s      node.done        hand#1 {}  ⇒ fit
5   0s      turn.started     fit#1
6   0s      tool.called      fit#1/1 rent {}
7   0s      tool.done        fit#1/1 rent → 7
8   0s      tool.called      fit#1/2 look {}
9   0s      tool.done        fit#1/2 look → "nothing"
10  0s      tool.called      fit#1/3 look {}
11  0s      tool.done        fit#1/3 look → "nothing"
12  0s      tool.called      fit#1/4 look {}
13  0s      tool.done        fit#1/4 look → "nothing"
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 9, seen at 13, in fit, burned 3 toolCalls
            escape   rollback from fit to event 4
14  0s      turn.started     rollback#1
15  0s      tool.called      rollback#1/fit#1/1 rent {} undoing fit#1/1
16  0s      tool.done        rollback#1/fit#1/1 rent → null
17  0s      rollback.done    rollback#1
18  0s      turn.started     fit#2
19  0s      tool.called      fit#2/1 rent {}
20  0s      tool.done        fit#2/1 rent → 7
21  0s      tool.called      fit#2/2 look {}
22  0s      tool.done        fit#2/2 look → "nothing"
23  0s      tool.called      fit#2/3 look {}
24  0s      tool.done        fit#2/3 look → "nothing"
25  0s      tool.called      fit#2/4 look {}
26  0s      tool.done        fit#2/4 look → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 22, seen at 26, in fit, burned 3 toolCalls
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=3, result {}
ledger   courier.carry 1, rent 2, look 6, undo of rent 1
child    hand#1/1 (courier): ended success: goal; spent 1 steps, 1 toolCalls
ended    stopped: loop because repeated-sequence calls=["look"] times=3
spent    4 steps, 9 toolCalls
lesson   repeated-sequence calls=["look"] times=3
