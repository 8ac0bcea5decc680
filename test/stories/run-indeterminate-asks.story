# A payment times out, so it is unknown whether it was made, and it is not repeated. A person is asked and says that it was not.

graph:
  tools: { pay: { use: flaky, effects: write, timeout: 5s } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [hangs, answers paid] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   5s      tool.failed      work#1/1 pay attempt 1: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
4   5s      call.late        work#1/1 pay failed: "no-answer"
ledger   pay 1
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=pay' until 1d5s
spent    1 steps, 1 toolCalls, 5s

later 3h
submit resume not-applied @work#1/1?
drive
ledger
----
5   3h5s    resume           work#1/1? not-applied
6   3h5s    turn.started     work#1 by driver 2
7   3h5s    tool.failed      work#1/1 pay attempt 1: TimeoutError: no-answer ms=5000 [transient, resource, by timeout], not for good
8   3h5s    tool.called      work#1/1 pay {"amount":5} attempt 2
9   3h5s    tool.done        work#1/1 pay → "paid"
10  3h5s    node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 2
ended    success: goal
spent    1 steps, 2 toolCalls, 5s
