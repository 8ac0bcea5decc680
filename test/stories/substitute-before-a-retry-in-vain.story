# The first failure opens the breaker, which would refuse a retry, so the substitute answers at once. Without a substitute, the call waits
# for its retry and is then refused.

graph:
  tools: { search: { use: flaky, substitutes: [mirror] }, mirror: { use: flaky } }
  breaker: { threshold: 1, reset: 30s }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call search {"q":1}', 'call mirror {"q":2}'] }
  tools: { search: { does: [fails HTTP 503] }, mirror: { does: [answers found, fails HTTP 503] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      circuit.opened   work#1/1 search after 1 failures
4   0s      tool.failed      work#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
5   0s      call.substituted work#1/1 search is out of order: mirror answers
6   0s      tool.called      work#1/1 mirror {"q":1} instead of search
7   0s      tool.done        work#1/1 mirror → "found"
8   0s      tool.called      work#1/2 mirror {"q":2}
9   0s      circuit.opened   work#1/2 mirror after 1 failures
10  0s      tool.failed      work#1/2 mirror attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
11  0s      call.waiting     work#1/2 mirror attempt 2 comes later
12  1.02s   circuit.refused  work#1/2 mirror CircuitOpen: circuit-open call=mirror seconds=29 [transient, resource, by circuit, retry after 28.98s]
13  1.02s   node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 1, mirror 2
ended    success: goal
spent    1 steps, 3 toolCalls, 1.02s
