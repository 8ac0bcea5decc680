# A custom classifier that returns an unknown class is ignored, and the run reports it. The rules decide.

graph:
  parts: { classifier: ./parts.ts#odd }
  tools: { get: { use: flaky } }
  nodes:
    work: { use: tool, tool: get, on: { done: end, error: failed } }
    end: { final: success }
    failed: { final: failure }
world: { tools: { get: { does: [fails HTTP 503, answers one] } } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 get {}
3   0s      tool.failed      work#1/1 get attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
4   0s      call.waiting     work#1/1 get attempt 2 comes later
5   1.06s   tool.called      work#1/1 get {} attempt 2
6   1.06s   tool.done        work#1/1 get → "one"
7   1.06s   node.done        work#1 "one"  ⇒ end
            ended    success: goal, result {}
ledger   get 2
ended    success: goal
spent    1 steps, 2 toolCalls, 1.06s
broken   classifier odd since 3, 1 times: it returned an unknown class; expected one of transient, persistent, business, indeterminate, cancelled, unknown
