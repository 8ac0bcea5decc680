# A recorded fork passes a rollback of its parent. It reads the results of the compensations like those of other calls, and performs
# nothing.

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
    book: { does: [answers seat 7], undo: [fails HTTP 503, answers null] }
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
14  0s      tool.failed      rollback#1/act#1/1 book attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
15  0s      call.waiting     rollback#1/act#1/1 book attempt 2 comes later
16  1.01s   tool.called      rollback#1/act#1/1 book {} attempt 2 undoing act#1/1
17  1.01s   tool.done        rollback#1/act#1/1 book → null
18  1.01s   rollback.done    rollback#1
19  1.01s   turn.started     act#2
20  1.01s   tool.called      act#2/1 book {}
21  1.01s   tool.done        act#2/1 book → "seat 7"
22  1.01s   tool.called      act#2/2 look {}
23  1.01s   tool.done        act#2/2 look → 1
24  1.01s   tool.called      act#2/3 look {}
25  1.01s   tool.done        act#2/3 look → 2
26  1.01s   tool.called      act#2/4 look {}
27  1.01s   tool.done        act#2/4 look → 2
28  1.01s   node.done        act#2 "too late"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    3 steps, 8 toolCalls, 1.01s
lesson   repeated-sequence calls=["look"] times=3

fork at 3 as recorded
drive
ledger
effects
----
thread   story-recorded
4   1.01s   forked           from story after 3, effects recorded
5   1.01s   turn.started     act#1 by driver 2
6   1.01s   tool.called      act#1/1 book {} (recorded)
7   1.01s   tool.done        act#1/1 book → "seat 7" (recorded)
8   1.01s   tool.called      act#1/2 look {} (recorded)
9   1.01s   tool.done        act#1/2 look → "nothing" (recorded)
10  1.01s   tool.called      act#1/3 look {} (recorded)
11  1.01s   tool.done        act#1/3 look → "nothing" (recorded)
12  1.01s   tool.called      act#1/4 look {} (recorded)
13  1.01s   tool.done        act#1/4 look → "nothing" (recorded)
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 9, seen at 13, in act, burned 3 toolCalls
            escape   rollback from act to event 2
14  1.01s   turn.started     rollback#1 by driver 2
15  1.01s   tool.called      rollback#1/act#1/1 book {} undoing act#1/1 (recorded)
16  1.01s   tool.failed      rollback#1/act#1/1 book attempt 1: HTTP 503 [transient, resource, by http-transient], not for good (recorded)
17  1.01s   call.waiting     rollback#1/act#1/1 book attempt 2 comes later (recorded)
18  1.01s   tool.called      rollback#1/act#1/1 book {} attempt 2 undoing act#1/1 (recorded)
19  1.01s   tool.done        rollback#1/act#1/1 book → null (recorded)
20  1.01s   rollback.done    rollback#1
21  1.01s   turn.started     act#2 by driver 2
22  1.01s   tool.called      act#2/1 book {} (recorded)
23  1.01s   tool.done        act#2/1 book → "seat 7" (recorded)
24  1.01s   tool.called      act#2/2 look {} (recorded)
25  1.01s   tool.done        act#2/2 look → 1 (recorded)
26  1.01s   tool.called      act#2/3 look {} (recorded)
27  1.01s   tool.done        act#2/3 look → 2 (recorded)
28  1.01s   tool.called      act#2/4 look {} (recorded)
29  1.01s   tool.done        act#2/4 look → 2 (recorded)
30  1.01s   node.done        act#2 "too late"  ⇒ end
            ended    success: goal, result {}
ledger   book 2, look 6, undo of book 2
ended    success: goal
spent    3 steps, 8 toolCalls
lesson   repeated-sequence calls=["look"] times=3

