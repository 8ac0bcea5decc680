# A compensation fails. It is retried like any call, then a person is asked. The ladder does not continue with the write left in place.

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
  escape: { ladder: [retry, rollback, alternative, review, stop], alternatives: { act: [plan] }, review: { deadline: 1h } }
world:
  nodes: { plan: [returns planned], act: [call book, call look, call look, call look, returns too late] }
  tools:
    send: { does: [answers sent] }
    book: { does: [answers seat 7], undo: [fails HTTP 429] }
    look: { does: [answers nothing] }

drive
ledger
effects
review
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
14  0s      tool.failed      rollback#1/act#1/1 book attempt 1: HTTP 429 [transient, resource, by http-transient], not for good
15  0s      call.waiting     rollback#1/act#1/1 book attempt 2 comes later
16  1.01s   tool.called      rollback#1/act#1/1 book {} attempt 2 undoing act#1/1
17  1.01s   tool.failed      rollback#1/act#1/1 book attempt 2: HTTP 429 [transient, resource, by http-transient], not for good
18  1.01s   call.waiting     rollback#1/act#1/1 book attempt 3 comes later
19  3.02s   tool.called      rollback#1/act#1/1 book {} attempt 3 undoing act#1/1
20  3.02s   circuit.opened   rollback#1/act#1/1 book after 3 failures
21  3.02s   tool.failed      rollback#1/act#1/1 book attempt 3: HTTP 429 [transient, resource, by http-transient]
22  3.02s   rollback.failed  rollback#1 act#1/1 HTTP 429 [transient, resource, by http-transient]  ⇒ review
            found    failure (compensation): rollback-failed ← error message="HTTP 429" class=transient status=429
                     period 1, 1 times, since 22, seen at 22, in act, burned 2.02s
            escape   review in act
ledger   book 1, look 3, undo of book 3
effect   book {} compensable, known by 21: undo-failed ← error message="HTTP 429" class=transient status=429
? review#1: ask-route
  because   failure (compensation): rollback-failed ← error message="HTTP 429" class=transient status=429
  seen      event 22, in act; cost 2s
  lately    2: plan done "planned"
            5: book {} → "seat 7"
            7: look {} → "nothing"
            9: look {} → "nothing"
            11: look {} → "nothing"
            21: undoing book {} failed: HTTP 429
  tried     rollback to event 2 (event 11): repeated-sequence calls=["look"] times=3; then at event 22: rollback-failed ← error message="HTTP 429" class=transient status=429
            retry of tool:book: 4 attempts, 2 calls
  not       rollback: not-applicable rung=rollback finding=failure
            alternative: no-alternative-edge
  channels  log: {"items":1}
  effects   book {}: compensable, undo-failed ← error message="HTTP 429" class=transient status=429
  answers   --decision approved --to act  → act, then act#2
            --decision approved --to plan → plan, then plan#2
            --decision approved --to end  → the end: success (goal)
            --rung rollback               → review, then rollback#2
            --rung restrict               → act, then act#2, restricted#1
            --decision rejected           → the end: stopped (review.rejected)
            --decision stop               → the end: stopped (review.stopped)
  else      at 1h3.02s → the end: stopped (review.expired)
  asked     at 3.02s
in       review
pending  review#1 asks 'ask-route' because rollback-failed ← error message="HTTP 429" class=transient status=429 until 1h3.02s
spent    2 steps, 4 toolCalls, 3.02s
lesson   repeated-sequence calls=["look"] times=3
lesson   rollback-failed ← error message="HTTP 429" class=transient status=429

submit resume stop
drive
----
23  3.02s   resume           review#1 stop  ⇒ stopped
            ended    stopped: review.stopped because review-stopped ← rollback-failed ← error message="HTTP 429" class=transient status=429, result {}
ended    stopped: review.stopped because review-stopped ← rollback-failed ← error message="HTTP 429" class=transient status=429
spent    2 steps, 4 toolCalls, 3.02s
lesson   repeated-sequence calls=["look"] times=3
lesson   rollback-failed ← error message="HTTP 429" class=transient status=429

