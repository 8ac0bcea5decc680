# The process dies during a payment, so it is unknown whether it was made. The next process asks instead of paying again.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    work: { use: tool, tool: pay, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [dies, answers paid] } }

drive
drive as other
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {}
3   0s      turn.started     work#1 by driver 2
4   0s      tool.failed      work#1/1 pay attempt 1: Interrupted: process-ended call=pay [indeterminate, request, by crash]
thrown   Error: the process is gone
ledger   pay 1
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=pay' until 1d
spent    1 steps, 1 toolCalls

submit resume applied @work#1/1? {"receipt":7}
drive as other
ledger
----
5   0s      resume           work#1/1? applied {"receipt":7}
6   0s      turn.started     work#1 by driver 3
7   0s      node.done        work#1 {"receipt":7}  ⇒ end
            ended    success: goal, result {}
ledger   pay 1
ended    success: goal
spent    1 steps, 1 toolCalls
