# The process ends while a call waits for its breaker. The next process waits for the rest of the time.

graph:
  tools: { search: { use: flaky }, other: { use: flaky } }
  retry: { attempts: 1 }
  breaker: { threshold: 1, reset: 30s }
  nodes:
    both:
      on: { done: end }
      regions:
        one: { start: look, nodes: { look: { use: tool, tool: search, on: { done: seen } }, seen: { final: success } } }
        two: { start: read, nodes: { read: { use: tool, tool: other, on: { done: heard } }, heard: { final: success } } }
    end: { final: success }
  escape: { wait: {} }
world:
  tools: { search: { does: [fails HTTP 503, answers found] }, other: { does: [after 10s dies, answers text] } }

drive
later 5s
drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     look#1
2   0s      turn.started     read#1
3   0s      tool.called      look#1/1 search {}
4   0s      tool.called      read#1/1 other {}
5   0s      circuit.opened   look#1/1 search after 1 failures
6   0s      tool.failed      look#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
7   0s      call.waiting     look#1/1 search attempt 2 waits up to 30s for the breaker
8   15s     turn.started     look#1 by driver 2
9   15s     turn.started     read#1 by driver 2
10  15s     tool.called      read#1/1 other {}
11  15s     tool.done        read#1/1 other → "text"
12  15s     node.done        read#1 "text"  ⇒ heard
13  30s     circuit.halfOpened look#1/1 search
14  30s     tool.called      look#1/1 search {} attempt 2
15  30s     circuit.closed   look#1/1 search
16  30s     tool.done        look#1/1 search → "found"
17  30s     node.done        look#1 "found"  ⇒ seen, end
            ended    success: goal, result {}
thrown   Error: the process is gone
ledger   search 2, other 2
ended    success: goal
spent    2 steps, 4 toolCalls, 15s
