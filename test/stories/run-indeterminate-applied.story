# A payment times out, and the person says that it was made. The node continues with that, and the tool is not called again.

graph:
  tools: { pay: { use: flaky, effects: write, timeout: 5s } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [hangs, answers paid twice] } }

drive
later 3h
submit resume applied @work#1/1? {"receipt":7}
drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   5s      tool.failed      work#1/1 pay attempt 1: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
4   5s      call.late        work#1/1 pay failed: "no-answer"
5   3h5s    resume           work#1/1? applied {"receipt":7}
6   3h5s    turn.started     work#1 by driver 2
7   3h5s    node.done        work#1 {"receipt":7}  ⇒ end
            ended    success: goal, result {}
ledger   pay 1
ended    success: goal
spent    1 steps, 1 toolCalls, 5s
