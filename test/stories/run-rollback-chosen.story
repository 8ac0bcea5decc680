# A person who answers a review may choose a rollback.

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
  escape: { ladder: [review, stop], review: { deadline: 1h } }
world:
  nodes: { plan: [returns planned], act: [call book, call look, call look, call look, returns too late] }
  tools:
    send: { does: [answers sent] }
    book: { does: [answers seat 7], undo: [answers null] }
    look: { does: [answers nothing] }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      node.done        plan#1 "planned"  ⇒ act
3   0s      turn.started     act#1
4   0s      tool.called      act#1/1 book {}
5   0s      tool.done        act#1/1 book → "seat 7"
6   0s      tool.called      act#1/2 look {}
7   0s      tool.done        act#1/2 look → "nothing"
8   0s      tool.called      act#1/3 look {}
9   0s      tool.done        act#1/3 look → "nothing"
10  0s      tool.called      act#1/4 look {}
11  0s      tool.done        act#1/4 look → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 7, seen at 11, in act, burned 3 toolCalls
            escape   review in act
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["look"] times=3 until 1h
spent    2 steps, 4 toolCalls
lesson   repeated-sequence calls=["look"] times=3

submit resume approved rung=rethink
drive
----
refused  route-unavailable question=review#1 rung=rethink ← no-smarter-model
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["look"] times=3 until 1h
spent    2 steps, 4 toolCalls
lesson   repeated-sequence calls=["look"] times=3

submit resume approved rung=rollback
drive
ledger
----
12  0s      resume           review#1 rollback
13  0s      turn.started     rollback#1 by driver 3
14  0s      tool.called      rollback#1/act#1/1 book {} undoing act#1/1
15  0s      tool.done        rollback#1/act#1/1 book → null
16  0s      rollback.done    rollback#1
17  0s      turn.started     act#2 by driver 3
18  0s      tool.called      act#2/1 book {}
19  0s      tool.done        act#2/1 book → "seat 7"
20  0s      tool.called      act#2/2 look {}
21  0s      tool.done        act#2/2 look → "nothing"
22  0s      tool.called      act#2/3 look {}
23  0s      tool.done        act#2/3 look → "nothing"
24  0s      tool.called      act#2/4 look {}
25  0s      tool.done        act#2/4 look → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 21, seen at 25, in act, burned 3 toolCalls
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=3, result {}
ledger   book 2, look 6, undo of book 1
ended    stopped: loop because repeated-sequence calls=["look"] times=3
spent    3 steps, 8 toolCalls
lesson   repeated-sequence calls=["look"] times=3

