# The time of all waits of a call counts together: after failed probes, `escape.wait.most` is not granted again.

graph:
  tools: { search: { use: flaky } }
  retry: { attempts: 1 }
  breaker: { threshold: 1, reset: 30s }
  nodes:
    look: { use: tool, tool: search, on: { done: end } }
    end: { final: success }
  escape: { wait: { most: 70s } }
world:
  tools: { search: { does: [fails HTTP 503, fails HTTP 503, fails HTTP 503, answers found] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     look#1
2   0s      tool.called      look#1/1 search {}
3   0s      circuit.opened   look#1/1 search after 1 failures
4   0s      tool.failed      look#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
5   0s      call.waiting     look#1/1 search attempt 2 waits up to 30s for the breaker
6   30s     circuit.halfOpened look#1/1 search
7   30s     tool.called      look#1/1 search {} attempt 2
8   30s     circuit.opened   look#1/1 search after 2 failures
9   30s     tool.failed      look#1/1 search attempt 2: HTTP 503 [transient, resource, by http-transient], not for good
10  30s     call.waiting     look#1/1 search attempt 3 waits up to 30s for the breaker
11  1m      circuit.halfOpened look#1/1 search
12  1m      tool.called      look#1/1 search {} attempt 3
13  1m      circuit.opened   look#1/1 search after 3 failures
14  1m      tool.failed      look#1/1 search attempt 3: HTTP 503 [transient, resource, by http-transient]
15  1m      node.failed      look#1 HTTP 503 [transient, resource, by http-transient]  ⇒ stopped
            found    failure (transient): node-failed node=look ← error message="HTTP 503" class=transient status=503
                     period 1, 1 times, since 15, seen at 15, in look, burned 1 toolCalls
            escape   stop (failure.transient)
            ended    stopped: failure.transient because node-failed node=look ← error message="HTTP 503" class=transient status=503, result {}
ended    stopped: failure.transient because node-failed node=look ← error message="HTTP 503" class=transient status=503
spent    1 steps, 3 toolCalls, 1m
lesson   node-failed node=look ← error message="HTTP 503" class=transient status=503
