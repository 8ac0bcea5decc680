# The thread rolls back to its last progress. Later writes are compensated, latest first, and the lesson is kept.

graph:
  channels: { log: { reducer: append, type: string } }
  tools:
    book: { use: flaky, effects: write }
    pay: { use: flaky, effects: write, idempotent: true }
    look: { use: flaky }
  progress: size(log)
  nodes:
    plan: { use: ./work.ts#plan, out: { log: . }, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { ladder: [retry, rollback, stop] }
world:
  nodes: { plan: [returns planned], act: [call book, call pay, call look, call look, call look, returns too late] }
  tools:
    book: { does: [answers seat 7], undo: [answers null] }
    pay: { does: [answers 20], undo: [fails HTTP 503, answers null] }
    look: { does: [answers nothing] }

drive
ledger
effects
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      node.done        plan#1 "planned"  ⇒ act
3   0s      turn.started     act#1
4   0s      tool.called      act#1/1 book {}
5   0s      tool.done        act#1/1 book → "seat 7"
6   0s      tool.called      act#1/2 pay {}
7   0s      tool.done        act#1/2 pay → 20
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
15  0s      tool.called      rollback#1/act#1/2 pay {} undoing act#1/2
16  0s      tool.failed      rollback#1/act#1/2 pay attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
17  0s      call.waiting     rollback#1/act#1/2 pay attempt 2 comes later
18  1.01s   tool.called      rollback#1/act#1/2 pay {} attempt 2 undoing act#1/2
19  1.01s   tool.done        rollback#1/act#1/2 pay → null
20  1.01s   tool.called      rollback#1/act#1/1 book {} undoing act#1/1
21  1.01s   tool.done        rollback#1/act#1/1 book → null
22  1.01s   rollback.done    rollback#1
23  1.01s   turn.started     act#2
24  1.01s   tool.called      act#2/1 book {}
25  1.01s   tool.done        act#2/1 book → "seat 7"
26  1.01s   tool.called      act#2/2 pay {}
27  1.01s   tool.done        act#2/2 pay → 20
28  1.01s   tool.called      act#2/3 look {}
29  1.01s   tool.done        act#2/3 look → "nothing"
30  1.01s   tool.called      act#2/4 look {}
31  1.01s   tool.done        act#2/4 look → "nothing"
32  1.01s   tool.called      act#2/5 look {}
33  1.01s   tool.done        act#2/5 look → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 29, seen at 33, in act, burned 3 toolCalls
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=3, result {}
ledger   book 2, pay 2, look 6, undo of pay 2, undo of book 1
effect   book {} compensated, known by 21: undone id=rollback#1/act#1/1
effect   pay {} compensated, known by 19: undone id=rollback#1/act#1/2
effect   book {} compensable, known by 25: effect-applied
effect   pay {} compensable, known by 27: effect-applied
ended    stopped: loop because repeated-sequence calls=["look"] times=3
spent    3 steps, 10 toolCalls, 1.01s
lesson   repeated-sequence calls=["look"] times=3

