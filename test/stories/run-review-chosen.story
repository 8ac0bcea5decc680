# A person chooses a rung of the ladder: an alternative that the ladder itself does not take. An inapplicable one is refused with the
# reason.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    detour: { use: pass, on: { done: end } }
    end: { final: success }
  escape:
    ladder: [retry, review, stop]
    alternatives: { work: [detour] }
    review: { deadline: 1h }
world:
  nodes: { work: [call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

drive
submit resume approved rung=rollback
submit resume approved rung=alternative to=nowhere
submit resume applied
drive
review
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "nothing"
4   0s      tool.called      work#1/2 search {}
5   0s      tool.done        work#1/2 search → "nothing"
6   0s      tool.called      work#1/3 search {}
7   0s      tool.done        work#1/3 search → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
            escape   review in work
? review#1: ask-route
  because   loop (sequence): repeated-sequence calls=["search"] times=3
  seen      3 laps × period 1, events 3–7, in work; cost 3 tool calls
  laps      3, exactly the same
            3: search {} → "nothing"
            5: search {} → "nothing"
            7: search {} → "nothing"
  answers   --decision approved --to work   → work, then work#2
            --decision approved --to detour → detour, then detour#1
            --decision approved --to end    → the end: success (goal)
            --rung alternative --to detour  → detour, then detour#1
            --rung restrict                 → work, then work#2, restricted#1
            --decision dismiss              → work, then work#2
            --decision rejected             → the end: stopped (review.rejected)
            --decision stop                 → the end: stopped (review.stopped)
  else      at 1h → the end: stopped (review.expired)
  asked     at 0s
refused  route-unavailable question=review#1 rung=rollback ← no-savepoint
refused  route-unavailable question=review#1 rung=alternative ← no-alternative-edge to=nowhere
refused  wrong-decision question=review#1 expected=["approved","dismiss","rejected","stop"]
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

submit resume approved rung=alternative
drive
----
8   0s      resume           review#1 alternative  ⇒ detour
9   0s      turn.started     detour#1 by driver 3
10  0s      node.done        detour#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
