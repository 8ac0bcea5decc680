# In the parent, a person answered whether a write was applied, and the call was made again. A recorded fork reads its last answer, and asks nothing.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [dies, answers paid] } }

drive
drive as other
submit resume not-applied @work#1/1?
drive as other
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   0s      turn.started     work#1 by driver 2
4   0s      tool.failed      work#1/1 pay attempt 1: Interrupted: process-ended call=pay [indeterminate, request, by crash]
5   0s      resume           work#1/1? not-applied
6   0s      turn.started     work#1 by driver 3
7   0s      tool.called      work#1/1 pay {"amount":5} attempt 2
8   0s      tool.done        work#1/1 pay → "paid"
9   0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
thrown   Error: the process is gone
ledger   pay 2
ended    success: goal
spent    1 steps, 2 toolCalls

fork at 1 as recorded
drive
ledger
----
thread   story-recorded
2   0s      forked           from story after 1, effects recorded
3   0s      turn.started     work#1 by driver 2
4   0s      tool.called      work#1/1 pay {"amount":5} (recorded)
5   0s      tool.called      work#1/1 pay {"amount":5} attempt 2 (recorded)
6   0s      tool.done        work#1/1 pay → "paid" (recorded)
7   0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 2
ended    success: goal
spent    1 steps, 2 toolCalls
