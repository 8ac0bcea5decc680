# The node times out while its child writes. The child ends first. Nobody knows whether the write took effect, so a person is asked before
# any edge is taken. The answer is that of the child.

graph:
  channels: { receipt: { default: null } }
  nodes:
    ask: { use: graph, graph: worker, timeout: 10s, out: { receipt: . }, on: { done: end, timeout: again, error: again } }
    again: { use: pass, on: { done: ask } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: pay
      nodes: { pay: { use: tool, tool: pay, on: { done: paid } }, paid: { final: success } }
      tools: { pay: { use: flaky, effects: write } }
world:
  graphs: { worker: { tools: { pay: { does: [hangs, answers 1] } } } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     ask#1
2   0s      child.started    ask#1/1 worker may spend 99 steps
3   10s     node.expired     ask#1
4   10s     child.done       ask#1/1 worker → cancelled: node-left {}
ledger   worker.pay 1
child    ask#1/1 (worker): ended cancelled: node-left; spent 1 steps, 1 toolCalls, 10s
in       ask
pending  ask#1 rests on ask#1/1, ask#1/1? asks 'ask-outcome call=pay' until 1d10s
spent    2 steps, 1 toolCalls, 10s

submit resume applied @ask#1/1?
drive
ledger
----
5   10s     resume           ask#1/1? applied
6   10s     turn.started     ask#1 by driver 2
7   10s     node.done        ask#1 null  ⇒ end
            ended    success: goal, result {"receipt":null}
ledger   worker.pay 1
ended    success: goal
spent    2 steps, 1 toolCalls, 10s
