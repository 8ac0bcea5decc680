# An `error.*` edge is taken only after the retries are spent.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: tool, tool: search, on: { done: end, error.transient: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
world:
  tools: { search: { does: [fails HTTP 502] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 502 [transient, resource, by http-transient], not for good
4   0s      call.waiting     work#1/1 search attempt 2 comes later
5   1.06s   tool.called      work#1/1 search {} attempt 2
6   1.06s   tool.failed      work#1/1 search attempt 2: HTTP 502 [transient, resource, by http-transient], not for good
7   1.06s   call.waiting     work#1/1 search attempt 3 comes later
8   3.21s   tool.called      work#1/1 search {} attempt 3
9   3.21s   circuit.opened   work#1/1 search after 3 failures
10  3.21s   tool.failed      work#1/1 search attempt 3: HTTP 502 [transient, resource, by http-transient]
11  3.21s   node.failed      work#1 HTTP 502 [transient, resource, by http-transient]  ⇒ other
12  3.21s   turn.started     other#1
13  3.21s   node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 3 toolCalls, 3.21s
