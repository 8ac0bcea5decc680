# Four searches for different things fail alike. The laps differ in one place, and the question names it.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  detect: { mistakes: false, errors: false }
  escape: { review: { deadline: 1h } }
world:
  nodes: { work: ['call search {"page":1,"q":"x"}', 'call search {"page":2,"q":"x"}', 'call search {"page":3,"q":"x"}', 'call search {"page":4,"q":"x"}'] }
  tools: { search: { does: [fails no such index] } }

drive
review
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"page":1,"q":"x"}
3   0s      tool.failed      work#1/1 search attempt 1: no such index [persistent, request, by says-persistent]
4   0s      tool.called      work#1/2 search {"page":2,"q":"x"}
5   0s      tool.failed      work#1/2 search attempt 1: no such index [persistent, request, by says-persistent]
6   0s      tool.called      work#1/3 search {"page":3,"q":"x"}
7   0s      tool.failed      work#1/3 search attempt 1: no such index [persistent, request, by says-persistent]
8   0s      tool.called      work#1/4 search {"page":4,"q":"x"}
9   0s      tool.failed      work#1/4 search attempt 1: no such index [persistent, request, by says-persistent]  ⇒ review
            found    loop (repetition): repeated-call call=search times=4 arguments=similar result=nothing-new ← call-failed call=search times=4 ← error message="no such index" class=persistent
                     period 1, 4 times, since 3, seen at 3 5 7 9, in work, burned 4 toolCalls
            escape   review in work
? review#1: ask-route
  because   loop (repetition): repeated-call call=search times=4 arguments=similar result=nothing-new ← call-failed call=search times=4 ← error message="no such index" class=persistent
  seen      4 laps × period 1, events 3–9, in work; cost 4 tool calls
  laps      4, which differ in one place
            3: search {"page":1,"q":"x"} failed: no such index
            5: search {"page":2,"q":"x"} failed: no such index
            7: search {"page":3,"q":"x"} failed: no such index
            9: search {"page":4,"q":"x"} failed: no such index
            differs: 1 search args.page: 1 | 2 | 3 | 4
  not       rethink: no-smarter-model
            alternative: no-alternative-edge
            rollback: no-savepoint
  answers   --decision approved --to work → work, then work#2
            --decision approved --to end  → the end: success (goal)
            --rung restrict               → work, then work#2, restricted#1
            --decision dismiss            → work, then work#2
            --decision rejected           → the end: stopped (review.rejected)
            --decision stop               → the end: stopped (review.stopped)
  else      at 1h → the end: stopped (review.expired)
  asked     at 0s
in       review
pending  review#1 asks 'ask-route' because repeated-call call=search times=4 arguments=similar result=nothing-new ← call-failed call=search times=4 ← error message="no such index" class=persistent until 1h
spent    1 steps, 4 toolCalls
lesson   repeated-call call=search times=4 arguments=similar result=nothing-new ← call-failed call=search times=4 ← error message="no such index" class=persistent

submit resume dismiss
drive
----
10  0s      resume           review#1 dismiss  ⇒ work
11  0s      turn.started     work#2 by driver 2
12  0s      tool.called      work#2/1 search {"page":1,"q":"x"}
13  0s      tool.failed      work#2/1 search attempt 1: no such index [persistent, request, by says-persistent]
14  0s      tool.called      work#2/2 search {"page":2,"q":"x"}
15  0s      tool.failed      work#2/2 search attempt 1: no such index [persistent, request, by says-persistent]
16  0s      tool.called      work#2/3 search {"page":3,"q":"x"}
17  0s      tool.failed      work#2/3 search attempt 1: no such index [persistent, request, by says-persistent]
18  0s      tool.called      work#2/4 search {"page":4,"q":"x"}
19  0s      tool.failed      work#2/4 search attempt 1: no such index [persistent, request, by says-persistent]
20  0s      node.done        work#2 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 8 toolCalls
lesson   repeated-call call=search times=4 arguments=similar result=nothing-new ← call-failed call=search times=4 ← error message="no such index" class=persistent
