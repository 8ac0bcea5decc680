# A policy change to observe mode lets an active rollback complete. From then on, loops are only reported.

graph:
  channels: { log: { reducer: append, type: string } }
  tools:
    book: { use: flaky, effects: write, timeout: 20s }
    look: { use: flaky }
  progress: size(log)
  rounds: { busy: queue }
  nodes:
    plan: { use: ./work.ts#plan, out: { log: . }, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { ladder: [retry, rollback, review, stop], review: { deadline: 1h } }
world:
  nodes: { plan: [returns planned], act: [call book, call look, call look, call look, returns too late] }
  tools:
    book: { does: [answers seat 7], undo: [after 10s answers null] }
    look: { does: [answers nothing, answers nothing, answers nothing, answers 1, answers 2] }

after 5s submit policy.change {"mode":"observe"}
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
14  5s      policy.changed   {"mode":"observe"}
15  10s     tool.done        rollback#1/act#1/1 book → null
16  10s     rollback.done    rollback#1
17  10s     turn.started     act#2
18  10s     tool.called      act#2/1 book {}
19  10s     tool.done        act#2/1 book → "seat 7"
20  10s     tool.called      act#2/2 look {}
21  10s     tool.done        act#2/2 look → 1
22  10s     tool.called      act#2/3 look {}
23  10s     tool.done        act#2/3 look → 2
24  10s     tool.called      act#2/4 look {}
25  10s     tool.done        act#2/4 look → 2
26  10s     node.done        act#2 "too late"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    3 steps, 8 toolCalls, 10s
lesson   repeated-sequence calls=["look"] times=3

