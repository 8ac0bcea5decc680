# A fork in the middle of a write whose outcome its parent does not know: the fork asks a person before it does anything, live or not.
# If the write was not applied, the fork makes it under its own key.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [hangs, answers paid] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   30s     tool.failed      work#1/1 pay attempt 1: TimeoutError: no-answer ms=30000 [indeterminate, resource, by timeout]
4   30s     call.late        work#1/1 pay failed: "no-answer"
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=pay' until 1d30s
spent    1 steps, 1 toolCalls, 30s

fork at 2 as live
drive
ledger
effects
----
thread   story-live
3   30s     forked           from story after 2, effects live
4   30s     turn.started     work#1 by driver 2
5   30s     tool.failed      work#1/1 pay attempt 1: Interrupted: started-before-fork call=pay [indeterminate, request, by crash]
ledger   pay 1
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=pay' until 1d30s
spent    1 steps, 1 toolCalls

submit resume not-applied @work#1/1?
drive
ledger
effects
----
thread   story-live
6   30s     resume           work#1/1? not-applied
7   30s     turn.started     work#1 by driver 3
8   30s     tool.called      work#1/1 pay {"amount":5} attempt 2
9   30s     tool.done        work#1/1 pay → "paid"
10  30s     node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 2
effect   pay {"amount":5} irreversible, known by 9: effect-applied
ended    success: goal
spent    1 steps, 2 toolCalls
