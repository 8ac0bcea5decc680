# A fork in the middle of a write: it is unknown whether the call of the parent took effect, so the fork asks before it does anything,
# live or not. If the write was not applied, the fork makes it under its own key.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [answers paid] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   0s      tool.done        work#1/1 pay → "paid"
4   0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 1 toolCalls

fork at 2 as live
drive
ledger
effects
----
thread   story-live
3   0s      forked           from story after 2, effects live
4   0s      turn.started     work#1 by driver 2
5   0s      tool.failed      work#1/1 pay attempt 1: Interrupted: process-ended call=pay [indeterminate, request, by crash]
ledger   pay 1
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=pay' until 1d
spent    1 steps, 1 toolCalls

submit resume not-applied @work#1/1?
drive
ledger
effects
----
thread   story-live
6   0s      resume           work#1/1? not-applied
7   0s      turn.started     work#1 by driver 3
8   0s      tool.called      work#1/1 pay {"amount":5} attempt 2
9   0s      tool.done        work#1/1 pay → "paid"
10  0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 2
effect   pay {"amount":5} irreversible, known by 9: effect-applied
ended    success: goal
spent    1 steps, 2 toolCalls
