# Another process cancels. The driver receives the cancel within a second and leaves the call.

graph:
  tools: { search: { use: flaky, timeout: 10m } }
  nodes:
    work: { use: tool, tool: search, on: { done: end } }
    end: { final: success }
world:
  tools: { search: { does: [hangs] } }

after 40s submit cancel enough of that
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   40s     cancel           enough of that  ⇒ cancelled
            ended    cancelled: enough of that, result {}
ended    cancelled: enough of that
spent    1 steps, 1 toolCalls, 40s
