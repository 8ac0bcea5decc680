# A write that cannot be compensated lies between the present and the last progress. A rollback is not possible, and the next rung is
# taken.

graph:
  channels: { log: { reducer: append, type: string } }
  tools:
    send: { use: flaky, effects: write }
    book: { use: flaky, effects: write }
    look: { use: flaky }
  progress: size(log)
  nodes:
    plan: { use: ./work.ts#plan, out: { log: . }, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { ladder: [rollback, stop] }
world:
  nodes: { plan: [returns planned], act: [call book, call send, call look, call look, call look, returns too late] }
  tools:
    send: { does: [answers sent] }
    book: { does: [answers seat 7], undo: [answers null] }
    look: { does: [answers nothing] }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      node.done        plan#1 "planned"  ⇒ act
3   0s      turn.started     act#1
4   0s      tool.called      act#1/1 book {}
5   0s      tool.done        act#1/1 book → "seat 7"
6   0s      tool.called      act#1/2 send {}
7   0s      tool.done        act#1/2 send → "sent"
8   0s      tool.called      act#1/3 look {}
9   0s      tool.done        act#1/3 look → "nothing"
10  0s      tool.called      act#1/4 look {}
11  0s      tool.done        act#1/4 look → "nothing"
12  0s      tool.called      act#1/5 look {}
13  0s      tool.done        act#1/5 look → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 9, seen at 13, in act, burned 3 toolCalls
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=3, result {}
ledger   book 1, send 1, look 3
ended    stopped: loop because repeated-sequence calls=["look"] times=3
spent    2 steps, 5 toolCalls
lesson   repeated-sequence calls=["look"] times=3

