# The process dies inside a write by a substitute. Its result is unknown, and the question is about the call of the substitute.

graph:
  tools:
    pay: { use: flaky, effects: write, substitutes: [bank] }
    bank: { use: flaky, effects: write }
  breaker: { threshold: 1, reset: 30s }
  retry: { attempts: 1 }
  nodes:
    work: { use: tool, tool: pay, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [fails code=ECONNREFUSED no server] }, bank: { does: [dies, answers paid] } }

drive
drive as other
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {}
3   0s      circuit.opened   work#1/1 pay after 1 failures
4   0s      tool.failed      work#1/1 pay attempt 1: no server [transient, resource, by network], not for good
5   0s      call.substituted work#1/1 pay is out of order: bank answers
6   0s      tool.called      work#1/1 bank {} instead of pay
7   0s      turn.started     work#1 by driver 2
8   0s      tool.failed      work#1/1 bank attempt 1: Interrupted: process-ended call=bank [indeterminate, request, by crash]
thrown   Error: the process is gone
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=bank' until 1d
spent    1 steps, 2 toolCalls

submit resume not-applied @work#1/1?
drive as other
ledger
----
9   0s      resume           work#1/1? not-applied
10  0s      turn.started     work#1 by driver 3
11  0s      tool.called      work#1/1 bank {} attempt 2 instead of pay
12  0s      tool.done        work#1/1 bank → "paid"
13  0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 1, bank 2
ended    success: goal
spent    1 steps, 3 toolCalls
