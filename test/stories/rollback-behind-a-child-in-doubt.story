# The answer to a write of a child was lost, and the write turned out to be applied. The child has written, so it is not started again.

graph:
  tools: { look: { use: flaky } }
  graphs:
    courier:
      escapement: 1
      id: courier
      start: carry
      nodes: { carry: { use: tool, tool: carry, args: {}, on: { done: home } }, home: { final: success } }
      tools: { carry: { use: flaky, effects: write, retry: 0 } }
  nodes:
    hand: { use: graph, graph: courier, on: { done: fit } }
    fit: { use: ./work.ts#fit, on: { done: end } }
    end: { final: success }
  escape: { ladder: [rollback, stop] }
world:
  nodes: { fit: [call look, call look, call look] }
  tools: { carry: { does: [fails code=ECONNRESET the line went dead], reconcile: applied carried }, look: { does: [answers nothing] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     hand#1
2   0s      child.started    hand#1/1 courier may spend 99 steps
3   0s      child.done       hand#1/1 courier → success: goal {}
4   0s      node.done        hand#1 {}  ⇒ fit
5   0s      turn.started     fit#1
6   0s      tool.called      fit#1/1 look {}
7   0s      tool.done        fit#1/1 look → "nothing"
8   0s      tool.called      fit#1/2 look {}
9   0s      tool.done        fit#1/2 look → "nothing"
10  0s      tool.called      fit#1/3 look {}
11  0s      tool.done        fit#1/3 look → "nothing"
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 7, seen at 11, in fit, burned 3 toolCalls
            escape   rollback from fit to event 4
12  0s      turn.started     rollback#1
13  0s      rollback.done    rollback#1
14  0s      turn.started     fit#2
15  0s      tool.called      fit#2/1 look {}
16  0s      tool.done        fit#2/1 look → "nothing"
17  0s      tool.called      fit#2/2 look {}
18  0s      tool.done        fit#2/2 look → "nothing"
19  0s      tool.called      fit#2/3 look {}
20  0s      tool.done        fit#2/3 look → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 16, seen at 20, in fit, burned 3 toolCalls
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=3, result {}
ledger   courier.carry 1, look 6
child    hand#1/1 (courier): ended success: goal; spent 1 steps, 1 toolCalls
ended    stopped: loop because repeated-sequence calls=["look"] times=3
spent    4 steps, 7 toolCalls
lesson   repeated-sequence calls=["look"] times=3
