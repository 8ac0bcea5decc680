# At most two nodes run at once. The third region begins when one of the others has completed its node.

graph:
  tools: { slow: { use: flaky } }
  limits: { concurrency: 2 }
  nodes:
    all:
      regions:
        a: { start: a1, nodes: { a1: { use: tool, tool: slow, args: { of: a }, on: { done: a2 } }, a2: { final: success } } }
        b: { start: b1, nodes: { b1: { use: tool, tool: slow, args: { of: b }, on: { done: b2 } }, b2: { final: success } } }
        c: { start: c1, nodes: { c1: { use: tool, tool: slow, args: { of: c }, on: { done: c2 } }, c2: { final: success } } }
      on: { done: end }
    end: { final: success }
world: { tools: { slow: { does: [after 10s answers one, after 3s answers two, after 4s answers three] } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     a1#1
2   0s      turn.started     b1#1
3   0s      tool.called      a1#1/1 slow {"of":"a"}
4   0s      tool.called      b1#1/1 slow {"of":"b"}
5   3s      tool.done        b1#1/1 slow → "two"
6   3s      node.done        b1#1 "two"  ⇒ b2
7   3s      turn.started     c1#1
8   3s      tool.called      c1#1/1 slow {"of":"c"}
9   7s      tool.done        c1#1/1 slow → "three"
10  7s      node.done        c1#1 "three"  ⇒ c2
11  10s     tool.done        a1#1/1 slow → "one"
12  10s     node.done        a1#1 "one"  ⇒ a2, end
            ended    success: goal, result {}
ended    success: goal
spent    3 steps, 3 toolCalls, 10s
