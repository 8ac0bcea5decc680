# A server sends `retry-after`, which is obeyed and never shortened. A wait above the cap is not made: the call has failed for now.

graph:
  tools: { search: { use: flaky } }
  retry: { cap: 30s }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}'] }
  tools: { search: { does: [fails HTTP 429 retry-after=20s, answers found, fails HTTP 429 retry-after=31s, answers more] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 429 [transient, resource, by http-transient, retry after 20s], not for good
4   0s      call.waiting     work#1/1 search attempt 2 comes later
5   20s     tool.called      work#1/1 search {"q":1} attempt 2
6   20s     tool.done        work#1/1 search → "found"
7   20s     tool.called      work#1/2 search {"q":2}
8   20s     tool.failed      work#1/2 search attempt 1: HTTP 429 [transient, resource, by http-transient, retry after 31s]
9   20s     node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 3 toolCalls, 20s
