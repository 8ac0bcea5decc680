# The process dies during a compensation. The next process continues with the rest under the same key and repeats no completed
# compensation.

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
  escape: { ladder: [retry, rollback, stop] }
world:
  nodes: { plan: [returns planned], act: ['call book {"n":1}', 'call book {"n":2}', call look, call look, call look, returns too late] }
  tools:
    send: { does: [answers sent] }
    book: { does: [answers seat 7], undo: [answers null, dies, answers null] }
    look: { does: [answers nothing] }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      node.done        plan#1 "planned"  ⇒ act
3   0s      turn.started     act#1
4   0s      tool.called      act#1/1 book {"n":1}
5   0s      tool.done        act#1/1 book → "seat 7"
6   0s      tool.called      act#1/2 book {"n":2}
7   0s      tool.done        act#1/2 book → "seat 7"
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
15  0s      tool.called      rollback#1/act#1/2 book {"n":2} undoing act#1/2
16  0s      tool.done        rollback#1/act#1/2 book → null
17  0s      tool.called      rollback#1/act#1/1 book {"n":1} undoing act#1/1
thrown   Error: the process is gone
in       act
pending  rollback#1 to event 2
spent    2 steps, 5 toolCalls
lesson   repeated-sequence calls=["look"] times=3

drive as other
ledger
----
18  0s      turn.started     rollback#1 by driver 2
19  0s      tool.called      rollback#1/act#1/1 book {"n":1} undoing act#1/1
20  0s      tool.done        rollback#1/act#1/1 book → null
21  0s      rollback.done    rollback#1
22  0s      turn.started     act#2 by driver 2
23  0s      tool.called      act#2/1 book {"n":1}
24  0s      tool.done        act#2/1 book → "seat 7"
25  0s      tool.called      act#2/2 book {"n":2}
26  0s      tool.done        act#2/2 book → "seat 7"
27  0s      tool.called      act#2/3 look {}
28  0s      tool.done        act#2/3 look → "nothing"
29  0s      tool.called      act#2/4 look {}
30  0s      tool.done        act#2/4 look → "nothing"
31  0s      tool.called      act#2/5 look {}
32  0s      tool.done        act#2/5 look → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 28, seen at 32, in act, burned 3 toolCalls
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=3, result {}
ledger   book 4, look 6, undo of book 3
ended    stopped: loop because repeated-sequence calls=["look"] times=3
spent    3 steps, 10 toolCalls
lesson   repeated-sequence calls=["look"] times=3

