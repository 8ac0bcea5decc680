# The spec accepts the writes of one tool by name. The rest is compensated, and the thread rolls back.

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
  escape: { ladder: [rollback, stop], rollback: { accept: [send] } }
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
13  0s      tool.done        act#1/5 look → "nothing"
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 9, seen at 13, in act, burned 3 toolCalls
            escape   rollback from act to event 2
14  0s      turn.started     rollback#1
15  0s      tool.called      rollback#1/act#1/1 book {} undoing act#1/1
16  0s      tool.done        rollback#1/act#1/1 book → null
17  0s      rollback.done    rollback#1
18  0s      turn.started     act#2
19  0s      tool.called      act#2/1 book {}
20  0s      tool.done        act#2/1 book → "seat 7"
21  0s      tool.called      act#2/2 send {}
22  0s      tool.done        act#2/2 send → "sent"
23  0s      tool.called      act#2/3 look {}
24  0s      tool.done        act#2/3 look → "nothing"
25  0s      tool.called      act#2/4 look {}
26  0s      tool.done        act#2/4 look → "nothing"
27  0s      tool.called      act#2/5 look {}
28  0s      tool.done        act#2/5 look → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 24, seen at 28, in act, burned 3 toolCalls
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=3, result {}
ledger   book 2, send 2, look 6, undo of book 1
ended    stopped: loop because repeated-sequence calls=["look"] times=3
spent    3 steps, 10 toolCalls
lesson   repeated-sequence calls=["look"] times=3

