# With `retry: 0`, the first failure of a tool is its result, and the named edge is taken at once.

graph:
  tools: { search: { use: flaky, retry: 0 } }
  nodes:
    work: { use: tool, tool: search, on: { done: end, error.transient: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
world:
  tools: { search: { does: [fails HTTP 503] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient]
4   0s      node.failed      work#1 HTTP 503 [transient, resource, by http-transient]  ⇒ other
5   0s      turn.started     other#1
6   0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 1 toolCalls
