# A person cancels a thread that waits for a breaker. It ends at once.

graph:
  tools: { search: { use: flaky } }
  retry: { attempts: 1 }
  breaker: { threshold: 1, reset: 30s }
  nodes:
    look: { use: tool, tool: search, on: { done: end } }
    end: { final: success }
  escape: { wait: {} }
world:
  tools: { search: { does: [fails HTTP 503, answers found] } }

after 5s submit cancel enough
drive
----
0   0s      thread.started   {}
1   0s      turn.started     look#1
2   0s      tool.called      look#1/1 search {}
3   0s      circuit.opened   look#1/1 search after 1 failures
4   0s      tool.failed      look#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
5   0s      call.waiting     look#1/1 search attempt 2 waits up to 30s for the breaker
6   5s      cancel           enough  ⇒ cancelled
            ended    cancelled: enough, result {}
ended    cancelled: enough
spent    1 steps, 1 toolCalls, 5s
