# A node makes two parallel calls without a batch: a slow write that must not be repeated, and one that requires confirmation. The runtime
# waits for the active write before it leaves the node.

graph:
  tools: { send: { use: flaky, effects: write }, pay: { use: flaky, effects: write, confirm: always } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['together send {"to":"a"} & after 1s pay {"amount":5}', returns done] }
  tools: { send: { does: [after 5s answers sent] }, pay: { does: [answers paid] } }

drive
submit resume approved @work#1/2?
drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 send {"to":"a"}
3   5s      tool.done        work#1/1 send → "sent"
4   5s      call.proposed    work#1/2 pay {"amount":5}
5   5s      resume           work#1/2? approved
6   5s      turn.started     work#1 by driver 2
7   6s      tool.called      work#1/2 pay {"amount":5}
8   6s      tool.done        work#1/2 pay → "paid"
9   6s      node.done        work#1 "done"  ⇒ end
            ended    success: goal, result {}
ledger   send 1, pay 1
ended    success: goal
spent    1 steps, 2 toolCalls, 6s
