# A question contains its evidence: the laps with their differences, the attempts with their results, and the target of each answer.

graph:
  tools: { search: { use: flaky }, note: { use: flaky, effects: write }, other: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    detour: { use: pass, on: { done: work } }
    end: { final: success }
  escape:
    alternatives: { work: [detour] }
    budget: { alternative: { perLoop: 1 } }
    review: { deadline: 1h, otherwise: continue, to: team, escalate: [{ to: lead, after: 15m }] }
world:
  nodes: { work: [call note, 'call search {"q":"x"}', call other, 'call search {"q":"x"}', call other, 'call search {"q":"x"}', call other] }
  tools: { search: { does: [answers nothing] }, note: { does: [answers kept] } }

drive
review
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 note {}
3   0s      tool.done        work#1/1 note → "kept"
4   0s      tool.called      work#1/2 search {"q":"x"}
5   0s      tool.done        work#1/2 search → "nothing"
6   0s      tool.called      work#1/3 other {}
7   0s      tool.done        work#1/3 other → null
8   0s      tool.called      work#1/4 search {"q":"x"}
9   0s      tool.done        work#1/4 search → "nothing"
10  0s      tool.called      work#1/5 other {}
11  0s      tool.done        work#1/5 other → null
12  0s      tool.called      work#1/6 search {"q":"x"}
13  0s      tool.done        work#1/6 search → "nothing"  ⇒ detour
            found    loop (sequence): repeated-sequence calls=["search","other"] times=2
                     period 2, 3 times, since 5, seen at 11 13, in work, burned 5 toolCalls
            escape   alternative work → detour
14  0s      turn.started     detour#1
15  0s      node.done        detour#1 {}  ⇒ work
16  0s      turn.started     work#2
17  0s      tool.called      work#2/1 note {}
18  0s      tool.done        work#2/1 note → "kept"
19  0s      tool.called      work#2/2 search {"q":"x"}
20  0s      tool.done        work#2/2 search → "nothing"
21  0s      tool.called      work#2/3 other {}
22  0s      tool.done        work#2/3 other → null
23  0s      tool.called      work#2/4 search {"q":"x"}
24  0s      tool.done        work#2/4 search → "nothing"
25  0s      tool.called      work#2/5 other {}
26  0s      tool.done        work#2/5 other → null
27  0s      tool.called      work#2/6 search {"q":"x"}
28  0s      tool.done        work#2/6 search → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["search","other"] times=2
                     period 2, 3 times, since 20, seen at 26 28, in work, burned 5 toolCalls
            escape   review in work
? review#1 asks team: ask-route
  because   loop (sequence): repeated-sequence calls=["search","other"] times=2
  seen      3 laps × period 2, events 20–28, in work; cost 5 tool calls
  laps      3, exactly the same
            20: search {"q":"x"} → "nothing"; 22: other {} → null
            24: search {"q":"x"} → "nothing"; 26: other {} → null
            28: search {"q":"x"} → "nothing"
  tried     alternative work → detour (event 13): repeated-sequence calls=["search","other"] times=2; then at event 28: the same
  not       rethink: rung-passed
            alternative: rung-budget-spent times=1 of=finding earlier=0
            rollback: irreversible-write tool=note
  effects   note {}: irreversible, effect-applied
            note {}: irreversible, effect-applied
  answers   --decision approved --to work   → work, then work#3
            --decision approved --to detour → detour, then detour#2
            --decision approved --to end    → the end: success (goal)
            --rung alternative --to detour  → detour, then detour#2
            --rung restrict                 → work, then work#3, restricted#1
            --decision dismiss              → work, then work#3
            --decision rejected             → the end: stopped (review.rejected)
            --decision stop                 → the end: stopped (review.stopped)
  else      at 1h → work, then work#3
  asked     at 0s
            moves on to lead at 15m
in       review
pending  review#1 asks team 'ask-route' because repeated-sequence calls=["search","other"] times=2 until 1h
spent    3 steps, 12 toolCalls
lesson   repeated-sequence calls=["search","other"] times=2

later 20m
drive
review
----
29  20m     tick             review#1
? review#1 asks lead: ask-route
  because   loop (sequence): repeated-sequence calls=["search","other"] times=2
  seen      3 laps × period 2, events 20–28, in work; cost 5 tool calls
  laps      3, exactly the same
            20: search {"q":"x"} → "nothing"; 22: other {} → null
            24: search {"q":"x"} → "nothing"; 26: other {} → null
            28: search {"q":"x"} → "nothing"
  tried     alternative work → detour (event 13): repeated-sequence calls=["search","other"] times=2; then at event 28: the same
  not       rethink: rung-passed
            alternative: rung-budget-spent times=1 of=finding earlier=0
            rollback: irreversible-write tool=note
  effects   note {}: irreversible, effect-applied
            note {}: irreversible, effect-applied
  answers   --decision approved --to work   → work, then work#3
            --decision approved --to detour → detour, then detour#2
            --decision approved --to end    → the end: success (goal)
            --rung alternative --to detour  → detour, then detour#2
            --rung restrict                 → work, then work#3, restricted#1
            --decision dismiss              → work, then work#3
            --decision rejected             → the end: stopped (review.rejected)
            --decision stop                 → the end: stopped (review.stopped)
  else      at 1h → work, then work#3
  asked     at 0s
            moved on to lead at 15m, who is asked now
in       review
pending  review#1 asks lead 'ask-route' because repeated-sequence calls=["search","other"] times=2 until 1h
spent    3 steps, 12 toolCalls
lesson   repeated-sequence calls=["search","other"] times=2
