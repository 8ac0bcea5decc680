# A node times out during a payment. It is unknown whether the payment was made, so no edge is taken. The late answer resolves the doubt,
# and the payment is not repeated.

graph:
  tools: { pay: { use: flaky, effects: write, timeout: 30s } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, timeout: 3s, on: { done: end, timeout: again } }
    again: { use: pass, on: { done: work } }
    end: { final: success }
world:
  tools: { pay: { does: [ignores the signal 5s answers paid, answers paid twice] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   3s      tick             work#1
4   5s      call.late        work#1/1 pay → "paid"
5   5s      turn.started     work#1
6   5s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 1
ended    success: goal
spent    1 steps, 1 toolCalls, 3s
