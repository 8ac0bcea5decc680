# The runtime drives two regions, one of them slow. Each waits only for itself, and the limit of concurrent effects applies.

graph:
  tools: { slow: { use: flaky }, quick: { use: flaky } }
  nodes:
    handle:
      regions:
        left: { start: wait, nodes: { wait: { use: tool, tool: slow, on: { done: waited } }, waited: { final: success } } }
        right: { start: one, nodes: { one: { use: tool, tool: quick, on: { done: two } }, two: { use: pass, on: { done: three } }, three: { final: success } } }
      on: { done: end }
    end: { final: success }
world:
  tools: { slow: { does: [after 10s answers late] }, quick: { does: [after 1s answers soon] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     wait#1
2   0s      turn.started     one#1
3   0s      tool.called      wait#1/1 slow {}
4   0s      tool.called      one#1/1 quick {}
5   1s      tool.done        one#1/1 quick → "soon"
6   1s      node.done        one#1 "soon"  ⇒ two
7   1s      turn.started     two#1
8   1s      node.done        two#1 {}  ⇒ three
9   10s     tool.done        wait#1/1 slow → "late"
10  10s     node.done        wait#1 "late"  ⇒ waited, end
            ended    success: goal, result {}
ended    success: goal
spent    3 steps, 2 toolCalls, 10s
