# Two regions run a graph at the same time. The remaining budget is divided among all active work, so the first cannot take it from the
# second.
graph:
  limits: { steps: 10 }
  nodes:
    both:
      regions:
        left: { start: first, nodes: { first: { use: pass, on: { done: l } }, l: { use: graph, graph: worker, on: { done: more, error: le } }, more: { use: pass, on: { done: lo } }, lo: { final: success }, le: { final: failure } } }
        right: { start: r, nodes: { r: { use: graph, graph: worker, on: { done: ro, error: re } }, ro: { final: success }, re: { final: failure } } }
      on: { done: end, done.failed: poor }
    end: { final: success }
    poor: { final: failure }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      nodes:
        look: { use: ./x.ts#y, on: { done: good } }
        good: { final: success }
      tools: { search: { use: flaky } }
world:
  graphs: { worker: { nodes: { look: ['call search {"q":1}', 'call search {"q":2}'] }, tools: { search: { does: [after 1s answers 1] } } } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     first#1
2   0s      turn.started     r#1
3   0s      child.started    r#1/1 worker may spend 4 steps
4   0s      node.done        first#1 {}  ⇒ l
5   0s      turn.started     l#1
6   0s      child.started    l#1/1 worker may spend 3 steps
7   2s      child.done       r#1/1 worker → success: goal {}
8   2s      node.done        r#1 {}  ⇒ ro
9   2s      child.done       l#1/1 worker → success: goal {}
10  2s      node.done        l#1 {}  ⇒ more
11  2s      turn.started     more#1
12  2s      node.done        more#1 {}  ⇒ lo, end
            ended    success: goal, result {}
ledger   worker.search 4
child    r#1/1 (worker): ended success: goal; spent 1 steps, 2 toolCalls, 2s
child    l#1/1 (worker): ended success: goal; spent 1 steps, 2 toolCalls, 2s
ended    success: goal
spent    6 steps, 4 toolCalls, 2s

