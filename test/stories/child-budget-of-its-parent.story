# Four steps for the whole family: the second child gets the one step that is left. The third is not started, because the budget of the
# parent is spent.

graph:
  nodes:
    one: { use: graph, graph: worker, on: { done: two } }
    two: { use: graph, graph: worker, on: { done: three, error: three, budget: over } }
    three: { use: graph, graph: worker, on: { done: end, budget: over } }
    over: { use: pass, on: { done: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: a
      nodes: { a: { use: pass, on: { done: b } }, b: { use: pass, on: { done: good } }, good: { final: success } }
  limits: { steps: 5 }
world: {}

drive
----
0   0s      thread.started   {}
1   0s      turn.started     one#1
2   0s      child.started    one#1/1 worker may spend 4 steps
3   0s      child.done       one#1/1 worker → success: goal {}
4   0s      node.done        one#1 {}  ⇒ two
5   0s      turn.started     two#1
6   0s      child.started    two#1/1 worker may spend 1 steps
7   0s      child.done       two#1/1 worker → stopped: budget.steps {}  ⇒ over
            found    budget (steps): limit-reached unit=steps limit=5 of=thread ← call-failed call=worker times=1 ← error message="stopped: budget.steps"
                     period 1, 1 times, since 1, seen at 7, in two, burned 5 steps
            escape   alternative two → over
8   0s      turn.started     over#1
9   0s      node.done        over#1 {}  ⇒ end
            ended    success: goal, result {}
child    one#1/1 (worker): ended success: goal; spent 2 steps
child    two#1/1 (worker): ended stopped: budget.steps because limit-reached unit=steps limit=1 of=thread; spent 1 steps; lesson limit-reached unit=steps limit=1 of=thread
ended    success: goal
spent    6 steps
lesson   limit-reached unit=steps limit=5 of=thread ← call-failed call=worker times=1 ← error message="stopped: budget.steps"
