# Service A asks B, and B asks A the same thing again. B detects this before A starts inside itself, and takes its `loop` edge.

graph:
  id: stock
  channels: { part: { type: string, default: bolt } }
  nodes:
    ask: { use: graph, graph: price, in: [part], on: { done: end } }
    end: { final: success }
  graphs:
    price:
      escapement: 1
      id: price
      start: check
      input: [part]
      channels: { part: { type: string } }
      nodes:
        check: { use: graph, graph: stock, in: [part], on: { done: good, loop: guess } }
        guess: { use: pass, on: { done: good } }
        good: { final: success }
      graphs: { stock: ./story.yaml }
world: { input: { part: bolt } }

drive
show ask#1/1
----
0   0s      thread.started   {"part":"bolt"}
1   0s      turn.started     ask#1
2   0s      child.started    ask#1/1 price may spend 99 steps
3   0s      child.done       ask#1/1 price → success: goal {"part":"bolt"}
4   0s      node.done        ask#1 {"part":"bolt"}  ⇒ end
            ended    success: goal, result {"part":"bolt"}
  0   0s      thread.started   {"part":"bolt"}
  1   0s      turn.started     check#1
  2   0s      child.refused    check#1/1 stock ChildRefused: recursive-graph graphs=["stock","price","stock"] [persistent, request, by recursion]  ⇒ guess
              found    loop (recursion): recursive-graph graphs=["stock","price","stock"]
                       period 2, 2 times, since 2, seen at 2, in check, burned 1 steps
              escape   alternative check → guess
  3   0s      turn.started     guess#1
  4   0s      node.done        guess#1 {}  ⇒ good
              ended    success: goal, result {"part":"bolt"}
child    ask#1/1 (price): ended success: goal; spent 2 steps; lesson recursive-graph graphs=["stock","price","stock"]
ended    success: goal
spent    3 steps
