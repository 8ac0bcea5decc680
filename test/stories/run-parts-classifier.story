# A custom classifier knows the code of a vendor, so that failure is not retried. The rules decide about all other failures.

graph:
  parts: { classifier: ./parts.ts#byVendor }
  tools: { get: { use: flaky } }
  nodes:
    work: { use: tool, tool: get, on: { done: end, error: failed } }
    end: { final: success }
    failed: { final: failure }
world: { tools: { get: { does: [fails HTTP 503, fails code=E42 slow down] } } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 get {}
3   0s      tool.failed      work#1/1 get attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
4   0s      call.waiting     work#1/1 get attempt 2 comes later
5   1.06s   tool.called      work#1/1 get {} attempt 2
6   1.06s   tool.failed      work#1/1 get attempt 2: slow down [persistent, resource, by byVendor]
7   1.06s   node.failed      work#1 slow down [persistent, resource, by byVendor]  ⇒ failed
            ended    failure: failure, result {}
ledger   get 2
ended    failure: failure
spent    1 steps, 2 toolCalls, 1.06s
