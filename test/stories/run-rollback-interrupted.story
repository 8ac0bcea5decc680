# A message interrupts a thread during a rollback. The compensation is abandoned, the new round begins, and the ledger lists the unknown
# result.

graph:
  channels: { log: { reducer: append, type: string } }
  tools:
    book: { use: flaky, effects: write, timeout: 20s }
    look: { use: flaky }
  progress: size(log)
  rounds: { busy: interrupt }
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

after 5s submit message {}
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
14  5s      message          {}  ⇒ cancelled
            ended    cancelled: interrupted, result {}
15  5s      round.started
16  5s      turn.started     plan#2
17  5s      node.done        plan#2 "planned"  ⇒ act
18  5s      turn.started     act#2
19  5s      tool.called      act#2/1 book {}
20  5s      tool.done        act#2/1 book → "seat 7"
21  5s      tool.called      act#2/2 look {}
22  5s      tool.done        act#2/2 look → 1
23  5s      tool.called      act#2/3 look {}
24  5s      tool.done        act#2/3 look → 2
25  5s      tool.called      act#2/4 look {}
26  5s      tool.done        act#2/4 look → 2
27  5s      node.done        act#2 "too late"  ⇒ end
            ended    success: goal, result {}
ledger   book 2, look 6, undo of book 1
effect   book {} indeterminate, known by 14: undo-unknown
effect   book {} compensable, known by 20: effect-applied
round    2
ended    success: goal
spent    4 steps, 8 toolCalls, 5s
lesson   repeated-sequence calls=["look"] times=3

