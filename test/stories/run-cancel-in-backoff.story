# A cancel during the backoff before the next attempt ends the wait.

graph:
  tools: { search: { use: flaky } }
  retry: { cap: 1h }
  nodes:
    work: { use: tool, tool: search, on: { done: end } }
    end: { final: success }
world:
  tools: { search: { does: [fails HTTP 429 retry-after=10m] } }

after 1m submit cancel enough of that
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 429 [transient, resource, by http-transient, retry after 10m], not for good
4   0s      call.waiting     work#1/1 search attempt 2 comes later
5   1m      cancel           enough of that  ⇒ cancelled
            ended    cancelled: enough of that, result {}
ended    cancelled: enough of that
spent    1 steps, 1 toolCalls, 1m
