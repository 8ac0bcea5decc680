# Children that are not started: their input is invalid, or the graphs are nested too deeply. The node receives an ordinary failure.

graph:
  channels: { n: { type: integer, default: 0 }, goal: { default: null } }
  limits: { depth: 2 }
  nodes:
    odd: { use: graph, graph: worker, in: [goal], on: { done: end, error: count } }
    count: { use: pass, in: [n], on: { done: deep } }
    deep: { use: graph, graph: down, in: { n: n }, on: { done: end, error: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      input: [goal]
      channels: { goal: { type: string } }
      nodes: { look: { use: pass, on: { done: good } }, good: { final: success } }
    down:
      escapement: 1
      id: down
      start: one
      channels: { n: { type: integer } }
      nodes:
        one: { use: ./one.ts#one, in: [n], out: { n: n }, on: { done: again } }
        again: { use: graph, graph: down, in: [n], on: { done: good, loop: bad, error: bad } }
        good: { final: success }
        bad: { final: failure }
      graphs: { down: ./down.yaml }
world:
  graphs: { down: { nodes: { one: ['returns {"n":1}', 'label x'] } } }

drive
show deep#1/1
----
0   0s      thread.started   {}
1   0s      turn.started     odd#1
2   0s      child.refused    odd#1/1 worker ChildRefused: invalid-input fault="input.goal expected string, received null" [persistent, request, by input]
3   0s      node.failed      odd#1 ChildFailed: graph-failed graph=worker outcome=error ← invalid-input fault="input.goal expected string, received null" [persistent, request, by child]  ⇒ count
4   0s      turn.started     count#1
5   0s      node.done        count#1 {}  ⇒ deep
6   0s      turn.started     deep#1
7   0s      child.started    deep#1/1 down may spend 97 steps
8   0s      child.done       deep#1/1 down → failure: failure {"n":1}
9   0s      node.failed      deep#1 ChildFailed: graph-failed graph=down outcome=failure thread=story/deep#1/1 ← ended-in-failure ← node-failed node=again ← graph-failed graph=down outcome=failure thread=story/deep#1/1/again#1/1 ← ended-in-failure ← recursive-graph graphs=["down","down"] [business, request, by child]  ⇒ end
            ended    success: goal, result {"n":0,"goal":null}
  0   0s      thread.started   {"n":0}
  1   0s      turn.started     one#1
  2   0s      node.done        one#1 {"n":1} as x  ⇒ again
  3   0s      turn.started     again#1
  4   0s      child.started    again#1/1 down may spend 95 steps
  5   0s      child.done       again#1/1 down → failure: failure {"n":1}
  6   0s      node.failed      again#1 ChildFailed: graph-failed graph=down outcome=failure thread=story/deep#1/1/again#1/1 ← ended-in-failure ← recursive-graph graphs=["down","down"] [business, request, by child]  ⇒ bad
              ended    failure: failure, result {"n":1}
child    deep#1/1 (down): ended failure: failure; spent 4 steps
child    deep#1/1/again#1/1 (down): ended failure: failure; spent 2 steps; lesson recursive-graph graphs=["down","down"]
ended    success: goal
spent    7 steps
