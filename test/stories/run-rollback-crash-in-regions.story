# A process dies during compensations in two regions. The next process runs only the remaining ones, and both regions restart.

graph:
  channels: { log: { reducer: append, type: string } }
  tools:
    book: { use: flaky, effects: write }
    note: { use: flaky, effects: write }
    look: { use: flaky }
  progress: size(log)
  nodes:
    plan: { use: ./work.ts#plan, out: { log: . }, on: { done: both } }
    both:
      regions:
        left: { start: seek, nodes: { seek: { use: ./work.ts#seek, on: { done: found } }, found: { final: success } } }
        right: { start: tell, nodes: { tell: { use: ./work.ts#tell, on: { done: posted } }, posted: { final: success } } }
      on: { done: end }
    end: { final: success }
  escape: { ladder: [rollback, stop] }
world:
  nodes: { plan: [returns planned], seek: [call book, call look, call look, call look], tell: [call note] }
  tools:
    book: { does: [answers seat 7], undo: [dies, answers null] }
    note: { does: [after 1s answers noted], undo: [answers null] }
    look: { does: [answers x, answers x, after 5s answers x, answers x, answers y] }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      node.done        plan#1 "planned"  ⇒ both
3   0s      turn.started     seek#1
4   0s      turn.started     tell#1
5   0s      tool.called      seek#1/1 book {}
6   0s      tool.called      tell#1/1 note {}
7   0s      tool.done        seek#1/1 book → "seat 7"
8   0s      tool.called      seek#1/2 look {}
9   0s      tool.done        seek#1/2 look → "x"
10  0s      tool.called      seek#1/3 look {}
11  0s      tool.done        seek#1/3 look → "x"
12  0s      tool.called      seek#1/4 look {}
13  1s      tool.done        tell#1/1 note → "noted"
14  1s      node.done        tell#1 {}  ⇒ posted
15  5s      tool.done        seek#1/4 look → "x"
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 9, seen at 15, in seek, burned 3 toolCalls, 5s
            escape   rollback from seek to event 2
16  5s      turn.started     rollback#1
17  5s      tool.called      rollback#1/tell#1/1 note {} undoing tell#1/1
18  5s      tool.done        rollback#1/tell#1/1 note → null
19  5s      tool.called      rollback#1/seek#1/1 book {} undoing seek#1/1
thrown   Error: the process is gone
in       both.left.seek + right.posted
pending  rollback#1 to event 2
spent    3 steps, 5 toolCalls, 5s
lesson   repeated-sequence calls=["look"] times=3

drive as two
ledger
effects
----
20  5s      turn.started     rollback#1 by driver 2
21  5s      tool.called      rollback#1/seek#1/1 book {} undoing seek#1/1
22  5s      tool.done        rollback#1/seek#1/1 book → null
23  5s      rollback.done    rollback#1
24  5s      turn.started     seek#2 by driver 2
25  5s      turn.started     tell#2 by driver 2
26  5s      tool.called      seek#2/1 book {}
27  5s      tool.called      tell#2/1 note {}
28  5s      tool.done        seek#2/1 book → "seat 7"
29  5s      tool.called      seek#2/2 look {}
30  5s      tool.done        seek#2/2 look → "x"
31  5s      tool.called      seek#2/3 look {}
32  5s      tool.done        seek#2/3 look → "y"
33  5s      tool.called      seek#2/4 look {}
34  5s      tool.done        seek#2/4 look → "y"
35  5s      node.done        seek#2 {}  ⇒ found
36  6s      tool.done        tell#2/1 note → "noted"
37  6s      node.done        tell#2 {}  ⇒ posted, end
            ended    success: goal, result {}
ledger   book 2, note 2, look 6, undo of note 1, undo of book 2
effect   book {} compensated, known by 22: undone id=rollback#1/seek#1/1
effect   note {} compensated, known by 18: undone id=rollback#1/tell#1/1
effect   book {} compensable, known by 28: effect-applied
effect   note {} compensable, known by 36: effect-applied
ended    success: goal
spent    5 steps, 10 toolCalls, 6s
lesson   repeated-sequence calls=["look"] times=3

