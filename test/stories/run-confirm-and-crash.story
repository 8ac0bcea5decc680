# The process dies in the middle of a write that a person approved. The next process does not ask for approval again, but whether the
# write was applied. A second attempt runs under the same approval.

graph:
  tools: { pay: { use: flaky, effects: write, confirm: always } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: end } }
    end: { final: success }
world: { tools: { pay: { does: [dies, answers paid] } } }

drive
submit resume approved @work#1/1?
drive
drive as other
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      call.proposed    work#1/1 pay {"amount":5}
3   0s      resume           work#1/1? approved
4   0s      turn.started     work#1 by driver 2
5   0s      tool.called      work#1/1 pay {"amount":5}
6   0s      turn.started     work#1 by driver 3
7   0s      tool.failed      work#1/1 pay attempt 1: Interrupted: process-ended call=pay [indeterminate, request, by crash]
thrown   Error: the process is gone
in       work
pending  work#1 rests on work#1/1, work#1/1?2 asks 'ask-outcome call=pay' until 1d
spent    1 steps, 1 toolCalls

submit resume not-applied @work#1/1?2
drive as other
ledger
----
8   0s      resume           work#1/1?2 not-applied
9   0s      turn.started     work#1 by driver 4
10  0s      tool.called      work#1/1 pay {"amount":5} attempt 2
11  0s      tool.done        work#1/1 pay → "paid"
12  0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 2
ended    success: goal
spent    1 steps, 2 toolCalls
