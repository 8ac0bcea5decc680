# A probe may run for longer than the rest of `escape.wait.most` (its timeout counts). A waiting call waits for its result, not for its
# timeout. A call whose time ends before is refused.

graph:
  tools: { search: { use: flaky, timeout: 2m }, nap: { use: flaky } }
  retry: { attempts: 1 }
  breaker: { threshold: 1, reset: 30s }
  nodes:
    start: { use: tool, tool: nap, on: { done: look } }
    look: { use: tool, tool: search, on: { done: end } }
    end: { final: success }
  escape: { wait: { most: 40s } }
world:
  tools: { search: { does: [fails HTTP 503, after 8s answers found, answers more] }, nap: { does: [answers up, after 5s answers up] } }

drive beside second
----
thread   story
0   0s      thread.started   {}
1   0s      turn.started     start#1
2   0s      tool.called      start#1/1 nap {}
3   0s      tool.done        start#1/1 nap → "up"
4   0s      node.done        start#1 "up"  ⇒ look
5   0s      turn.started     look#1
6   0s      tool.called      look#1/1 search {}
7   0s      circuit.opened   look#1/1 search after 1 failures
8   0s      tool.failed      look#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
9   0s      call.waiting     look#1/1 search attempt 2 waits up to 30s for the breaker
10  30s     circuit.halfOpened look#1/1 search
11  30s     tool.called      look#1/1 search {} attempt 2
12  38s     circuit.closed   look#1/1 search
13  38s     tool.done        look#1/1 search → "found"
14  38s     node.done        look#1 "found"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 3 toolCalls, 38s
thread   second
0   0s      thread.started   {}
1   0s      turn.started     start#1
2   0s      tool.called      start#1/1 nap {}
3   5s      tool.done        start#1/1 nap → "up"
4   5s      node.done        start#1 "up"  ⇒ look
5   5s      turn.started     look#1
6   5s      call.waiting     look#1/1 search attempt 1 waits up to 25s for the breaker
7   30s     call.waiting     look#1/1 search attempt 1 waits up to 15s for the breaker
8   38s     tool.called      look#1/1 search {}
9   38s     tool.done        look#1/1 search → "more"
10  38s     node.done        look#1 "more"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 2 toolCalls, 38s
