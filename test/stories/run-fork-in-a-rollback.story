# A fork in the middle of a rollback compensates nothing. The parent compensates its own writes and lists them in its ledger. The fork
# continues from the savepoint.

graph:
  channels: { log: { reducer: append, type: string } }
  tools:
    book: { use: flaky, effects: write }
    look: { use: flaky }
  progress: size(log)
  nodes:
    plan: { use: ./work.ts#plan, out: { log: . }, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { ladder: [retry, rollback, stop] }
world:
  nodes: { plan: [returns planned], act: [call book, call look, call look, call look, returns too late] }
  tools:
    book: { does: [answers seat 7], undo: [after 10s answers null] }
    look: { does: [answers nothing, answers nothing, answers nothing, answers 1, answers 2] }

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
11  0s      tool.done        act#1/4 look → "nothing"
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 7, seen at 11, in act, burned 3 toolCalls
            escape   rollback from act to event 2
12  0s      turn.started     rollback#1
13  0s      tool.called      rollback#1/act#1/1 book {} undoing act#1/1
14  10s     tool.done        rollback#1/act#1/1 book → null
15  10s     rollback.done    rollback#1
16  10s     turn.started     act#2
17  10s     tool.called      act#2/1 book {}
18  10s     tool.done        act#2/1 book → "seat 7"
19  10s     tool.called      act#2/2 look {}
20  10s     tool.done        act#2/2 look → 1
21  10s     tool.called      act#2/3 look {}
22  10s     tool.done        act#2/3 look → 2
23  10s     tool.called      act#2/4 look {}
24  10s     tool.done        act#2/4 look → 2
25  10s     node.done        act#2 "too late"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    3 steps, 8 toolCalls, 10s
lesson   repeated-sequence calls=["look"] times=3

fork at 12 as refuse
drive
ledger
effects
----
thread   story-refuse
13  10s     forked           from story after 12, effects refuse
14  10s     turn.started     rollback#1 by driver 2
15  10s     rollback.done    rollback#1
16  10s     turn.started     act#2 by driver 2
17  10s     tool.failed      act#2/1 book attempt 1: WriteRefused: write-in-fork call=book [persistent, request, by fork]
18  10s     tool.called      act#2/2 look {}
19  10s     tool.done        act#2/2 look → 2
20  10s     tool.called      act#2/3 look {}
21  10s     tool.done        act#2/3 look → 2
22  10s     tool.called      act#2/4 look {}
23  10s     tool.done        act#2/4 look → 2  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 19, seen at 23, in act, burned 3 toolCalls
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=3, result {}
ledger   book 2, look 9, undo of book 1
ended    stopped: loop because repeated-sequence calls=["look"] times=3
spent    3 steps, 7 toolCalls
lesson   repeated-sequence calls=["look"] times=3

thread story
fork at 13 as live
drive
ledger
effects
----
thread   story-live
14  10s     forked           from story after 13, effects live
15  10s     turn.started     rollback#1 by driver 2
16  10s     rollback.done    rollback#1
17  10s     turn.started     act#2 by driver 2
18  10s     tool.called      act#2/1 book {}
19  10s     tool.done        act#2/1 book → "seat 7"
20  10s     tool.called      act#2/2 look {}
21  10s     tool.done        act#2/2 look → 2
22  10s     tool.called      act#2/3 look {}
23  10s     tool.done        act#2/3 look → 2
24  10s     tool.called      act#2/4 look {}
25  10s     tool.done        act#2/4 look → 2  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 21, seen at 25, in act, burned 3 toolCalls
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=3, result {}
ledger   book 3, look 12, undo of book 1
effect   book {} compensable, known by 19: effect-applied
ended    stopped: loop because repeated-sequence calls=["look"] times=3
spent    3 steps, 8 toolCalls
lesson   repeated-sequence calls=["look"] times=3

thread story
fork at 13 as recorded
drive
ledger
effects
----
thread   story-recorded
14  10s     forked           from story after 13, effects recorded
15  10s     turn.started     rollback#1 by driver 2
16  10s     rollback.done    rollback#1
17  10s     turn.started     act#2 by driver 2
18  10s     tool.called      act#2/1 book {} (recorded)
19  10s     tool.done        act#2/1 book → "seat 7" (recorded)
20  10s     tool.called      act#2/2 look {} (recorded)
21  10s     tool.done        act#2/2 look → 1 (recorded)
22  10s     tool.called      act#2/3 look {} (recorded)
23  10s     tool.done        act#2/3 look → 2 (recorded)
24  10s     tool.called      act#2/4 look {} (recorded)
25  10s     tool.done        act#2/4 look → 2 (recorded)
26  10s     node.done        act#2 "too late"  ⇒ end
            ended    success: goal, result {}
ledger   book 3, look 12, undo of book 1
ended    success: goal
spent    3 steps, 8 toolCalls
lesson   repeated-sequence calls=["look"] times=3

