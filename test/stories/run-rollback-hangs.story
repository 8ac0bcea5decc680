# A hanging compensation times out like any call and is retried. An abandoned attempt reports late that it succeeded. Nothing is left to
# compensate, whatever the later attempts return.

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
    book: { does: [answers seat 7], undo: [ignores the signal 45s answers null, hangs] }
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
14  20s     tool.failed      rollback#1/act#1/1 book attempt 1: TimeoutError: no-answer ms=20000 [transient, resource, by timeout], not for good
15  20s     call.waiting     rollback#1/act#1/1 book attempt 2 comes later
16  21.01s  tool.called      rollback#1/act#1/1 book {} attempt 2 undoing act#1/1
17  41.01s  tool.failed      rollback#1/act#1/1 book attempt 2: TimeoutError: no-answer ms=20000 [transient, resource, by timeout], not for good
18  41.01s  call.waiting     rollback#1/act#1/1 book attempt 3 comes later
19  43.02s  tool.called      rollback#1/act#1/1 book {} attempt 3 undoing act#1/1
20  45s     call.late        rollback#1/act#1/1 book → null undoing act#1/1
21  1m3.02s circuit.opened   rollback#1/act#1/1 book after 3 failures
22  1m3.02s tool.failed      rollback#1/act#1/1 book attempt 3: TimeoutError: no-answer ms=20000 [transient, resource, by timeout]
23  1m3.02s rollback.done    rollback#1
24  1m3.02s turn.started     act#2
25  1m3.02s circuit.refused  act#2/1 book CircuitOpen: circuit-open call=book seconds=30 [transient, resource, by circuit, retry after 30s]
26  1m3.02s tool.called      act#2/2 look {}
27  1m3.02s tool.done        act#2/2 look → 1
28  1m3.02s tool.called      act#2/3 look {}
29  1m3.02s tool.done        act#2/3 look → 2
30  1m3.02s tool.called      act#2/4 look {}
31  1m3.02s tool.done        act#2/4 look → 2
32  1m3.02s node.done        act#2 "too late"  ⇒ end
            ended    success: goal, result {}
ledger   book 1, look 6, undo of book 3
effect   book {} compensated, known by 20: undone id=rollback#1/act#1/1
ended    success: goal
spent    3 steps, 7 toolCalls, 1m3.02s
lesson   repeated-sequence calls=["look"] times=3

