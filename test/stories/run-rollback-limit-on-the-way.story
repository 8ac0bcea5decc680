# A limit that is reached during a rollback ends the thread after the active compensation has completed. The ledger lists what was
# compensated.

graph:
  channels: { log: { reducer: append, type: string } }
  limits: { duration: 5s }
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
ledger
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
14  10s     tool.done        rollback#1/act#1/1 book → null  ⇒ stopped
            found    budget (duration): limit-reached unit=duration limit=5000 of=thread
                     period 1, 1 times, since 1, seen at 14, in act, burned 2 steps, 4 toolCalls, 10s
            escape   stop (budget.duration)
            ended    stopped: budget.duration because limit-reached unit=duration limit=5000 of=thread, result {}
ledger   book 1, look 3, undo of book 1
effect   book {} compensated, known by 14: undone id=rollback#1/act#1/1
ended    stopped: budget.duration because limit-reached unit=duration limit=5000 of=thread
spent    2 steps, 4 toolCalls, 10s
lesson   repeated-sequence calls=["look"] times=3
lesson   limit-reached unit=duration limit=5000 of=thread

