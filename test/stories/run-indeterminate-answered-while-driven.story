# The person answers while the same process still drives the thread. The payment is not repeated.

graph:
  tools: { pay: { use: flaky, effects: write, timeout: 5s } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [ignores the signal 8s answers paid, answers paid twice] } }

after 7s submit resume applied @work#1/1? {"receipt":7}
drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   5s      tool.failed      work#1/1 pay attempt 1: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
4   7s      resume           work#1/1? applied {"receipt":7}
5   8s      call.late        work#1/1 pay → "paid"
6   8s      turn.started     work#1
7   8s      node.done        work#1 {"receipt":7}  ⇒ end
            ended    success: goal, result {}
ledger   pay 1
ended    success: goal
spent    1 steps, 1 toolCalls, 6s
