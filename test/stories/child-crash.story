# The process dies inside a child. The next process that resumes the parent resumes the same child where it was, and repeats nothing.

graph:
  nodes:
    ask: { use: graph, graph: worker, on: { done: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: one
      nodes:
        one: { use: tool, tool: write, on: { done: two } }
        two: { use: tool, tool: look, on: { done: good } }
        good: { final: success }
      tools: { write: { use: flaky, effects: write }, look: { use: flaky } }
world:
  graphs: { worker: { tools: { write: { does: [answers written] }, look: { does: [dies, answers seen] } } } }

drive
drive as other
ledger
show ask#1/1
----
0   0s      thread.started   {}
1   0s      turn.started     ask#1
2   0s      child.started    ask#1/1 worker may spend 99 steps
3   0s      turn.started     ask#1 by driver 2
4   0s      child.done       ask#1/1 worker → success: goal {}
5   0s      node.done        ask#1 {}  ⇒ end
            ended    success: goal, result {}
thrown   Error: the process is gone
ledger   worker.write 1, worker.look 2
  0   0s      thread.started   {}
  1   0s      turn.started     one#1
  2   0s      tool.called      one#1/1 write {}
  3   0s      tool.done        one#1/1 write → "written"
  4   0s      node.done        one#1 "written"  ⇒ two
  5   0s      turn.started     two#1
  6   0s      tool.called      two#1/1 look {}
  7   0s      turn.started     two#1 by driver 3
  8   0s      tool.called      two#1/1 look {}
  9   0s      tool.done        two#1/1 look → "seen"
  10  0s      node.done        two#1 "seen"  ⇒ good
              ended    success: goal, result {}
child    ask#1/1 (worker): ended success: goal; spent 2 steps, 3 toolCalls
ended    success: goal
spent    3 steps, 3 toolCalls
