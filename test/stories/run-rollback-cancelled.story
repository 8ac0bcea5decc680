# Cancelled during a compensation: the ledger does not list the write as applied. The late result of the compensation resolves it.

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
    book: { does: [answers seat 7], undo: [ignores the signal 8s answers null] }
    look: { does: [answers nothing, answers nothing, answers nothing, answers 1, answers 2] }

after 5s submit cancel
drive
effects
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
14  5s      cancel           cancelled  ⇒ cancelled
            ended    cancelled: cancelled, result {}
15  8s      call.late        rollback#1/act#1/1 book → null undoing act#1/1
            ignored
effect   book {} compensated, known by 15: undone id=rollback#1/act#1/1
ended    cancelled: cancelled
spent    2 steps, 4 toolCalls, 5s
lesson   repeated-sequence calls=["look"] times=3

