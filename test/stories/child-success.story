# A graph runs as a node, in its own thread. Its result is the output of the node, and its spending counts for the parent.

graph:
  channels: { goal: { type: string, default: tea }, answer: { default: null } }
  nodes:
    ask: { use: graph, graph: worker, in: [goal], out: { answer: found }, on: { done: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      input: [goal]
      channels: { goal: { type: string }, found: { default: null } }
      nodes:
        look: { use: tool, tool: search, in: [goal], out: found, on: { done: good } }
        good: { final: success }
      tools: { search: { use: flaky } }
      output: [found]
  limits: { steps: 10, toolCalls: 5 }
world:
  graphs: { worker: { tools: { search: { does: [answers leaves] } } } }

drive
show ask#1/1
----
0   0s      thread.started   {}
1   0s      turn.started     ask#1
2   0s      child.started    ask#1/1 worker may spend 9 steps, 5 toolCalls
3   0s      child.done       ask#1/1 worker → success: goal {"found":"leaves"}
4   0s      node.done        ask#1 {"found":"leaves"}  ⇒ end
            ended    success: goal, result {"goal":"tea","answer":"leaves"}
  0   0s      thread.started   {"goal":"tea"}
  1   0s      turn.started     look#1
  2   0s      tool.called      look#1/1 search {}
  3   0s      tool.done        look#1/1 search → "leaves"
  4   0s      node.done        look#1 "leaves"  ⇒ good
              ended    success: goal, result {"found":"leaves"}
child    ask#1/1 (worker): ended success: goal; spent 1 steps, 1 toolCalls
ended    success: goal
spent    2 steps, 1 toolCalls
