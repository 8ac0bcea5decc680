# A process ends while a poll waits. The next process waits for the rest of the time, and makes the call once.

graph:
  tools: { status: { use: flaky }, other: { use: flaky } }
  nodes:
    both:
      on: { done: end }
      regions:
        one: { start: first, nodes: { first: { use: tool, tool: status, on: { done: again } }, again: { use: tool, tool: status, on: { done: seen } }, seen: { final: success } } }
        two: { start: read, nodes: { read: { use: tool, tool: other, on: { done: heard } }, heard: { final: success } } }
    end: { final: success }
  detect: { tools: { status: { poll: { every: 1m } } } }
world:
  tools: { status: { does: [answers running] }, other: { does: [after 10s dies, answers text] } }

drive
later 5s
drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     first#1
2   0s      turn.started     read#1
3   0s      tool.called      first#1/1 status {}
4   0s      tool.called      read#1/1 other {}
5   0s      tool.done        first#1/1 status → "running"
6   0s      node.done        first#1 "running"  ⇒ again
7   0s      turn.started     again#1
8   0s      call.waiting     again#1/1 status polls again in 1m
9   15s     turn.started     read#1 by driver 2
10  15s     turn.started     again#1 by driver 2
11  15s     tool.called      read#1/1 other {}
12  15s     tool.done        read#1/1 other → "text"
13  15s     node.done        read#1 "text"  ⇒ heard
14  1m      tool.called      again#1/1 status {}
15  1m      tool.done        again#1/1 status → "running"
16  1m      node.done        again#1 "running"  ⇒ seen, end
            ended    success: goal, result {}
thrown   Error: the process is gone
ledger   status 2, other 2
ended    success: goal
spent    3 steps, 4 toolCalls, 45s
