# A recorded fork in the middle of a write reads the result from the journal of its parent. It asks only if the journal does not contain
# it.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call pay {"amount":5}', 'call pay {"amount":6}'] }
  tools: { pay: { does: [answers paid, hangs] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   0s      tool.done        work#1/1 pay → "paid"
4   0s      tool.called      work#1/2 pay {"amount":6}
5   30s     tool.failed      work#1/2 pay attempt 1: TimeoutError: no-answer ms=30000 [indeterminate, resource, by timeout]
6   30s     call.late        work#1/2 pay failed: "no-answer"
in       work
pending  work#1 rests on work#1/2, work#1/2? asks 'ask-outcome call=pay' until 1d30s
spent    1 steps, 2 toolCalls, 30s

fork at 2 as recorded
drive
ledger
----
thread   story-recorded
3   30s     forked           from story after 2, effects recorded
4   30s     turn.started     work#1 by driver 2
5   30s     tool.done        work#1/1 pay → "paid" (recorded)
6   30s     tool.failed      work#1/2 pay attempt 1: WriteRefused: write-in-fork call=pay [persistent, request, by fork]
7   30s     node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   pay 2
ended    success: goal
spent    1 steps, 1 toolCalls
