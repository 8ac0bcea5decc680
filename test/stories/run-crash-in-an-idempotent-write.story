# An idempotent write is repeated under the same key.

graph:
  tools: { pay: { use: flaky, effects: write, idempotent: true } }
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
4   0s      tool.called      work#1/1 pay {}
5   0s      tool.done        work#1/1 pay → "paid"
6   0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
thrown   Error: the process is gone
ledger   pay 2
ended    success: goal
spent    1 steps, 2 toolCalls
