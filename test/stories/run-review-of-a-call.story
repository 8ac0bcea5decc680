# A question about a call in doubt names the call and the effect of each answer. The question of a node does so, too.

graph:
  tools: { pay: { use: flaky, effects: write, timeout: 5s } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: ask } }
    ask: { use: human, question: Shall it be sent?, on: { human.approved: end, human.rejected: work } }
    end: { final: success }
world:
  tools: { pay: { does: [hangs, answers paid] } }

drive
review work#1/1?
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   5s      tool.failed      work#1/1 pay attempt 1: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
4   5s      call.late        work#1/1 pay failed: "no-answer"
? work#1/1?: ask-outcome call=pay
  lately    3: pay {"amount":5} failed: no answer within 5000 ms
  call      pay {"amount":5} (work#1/1)
  effects   pay {"amount":5}: indeterminate, effect-unknown ← no-answer ms=5000
  answers   --decision applied     → work; pay counts as made; --output JSON gives the result of the call
            --decision not-applied → work; pay is made again
            --decision stop        → the end: stopped (review.stopped)
  else      at 1d5s → the end: stopped (failure.indeterminate)
  asked     at 5s
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=pay' until 1d5s
spent    1 steps, 1 toolCalls, 5s

submit resume applied @work#1/1?
drive
review ask#1
----
5   5s      resume           work#1/1? applied
6   5s      turn.started     work#1 by driver 2
7   5s      node.done        work#1 null  ⇒ ask
? ask#1: Shall it be sent?
  lately    3: pay {"amount":5} failed: no answer within 5000 ms
            7: work done null
  effects   pay {"amount":5}: irreversible, effect-applied by=person
  answers   --decision approved → the end: success (goal)
            --decision rejected → work, then work#2
            --decision stop     → the end: stopped (review.stopped)
  else      it waits for an answer
  asked     at 5s
in       ask
pending  ask#1 asks 'Shall it be sent?'
spent    1 steps, 1 toolCalls, 5s
