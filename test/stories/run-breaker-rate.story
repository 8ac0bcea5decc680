# With a rate, the breaker opens for a tool that fails four times out of five, although it never fails five times in a row.

graph:
  tools: { search: { use: flaky, breaker: { threshold: 5, rate: 0.5 }, retry: 0 } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  detect: { errors: false, sequence: false, repetition: false, stale: false, mistakes: false }
  failures: { recurring: false }
world:
  nodes: { work: ['call search {"n":1}', 'call search {"n":2}', 'call search {"n":3}', 'call search {"n":4}', 'call search {"n":5}', 'call search {"n":6}', 'call search {"n":7}', 'call search {"n":8}'] }
  tools: { search: { does: [fails HTTP 503, fails HTTP 503, fails HTTP 503, fails HTTP 503, answers found, fails HTTP 503, fails HTTP 503, answers found] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"n":1}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient]
4   0s      tool.called      work#1/2 search {"n":2}
5   0s      tool.failed      work#1/2 search attempt 1: HTTP 503 [transient, resource, by http-transient]
6   0s      tool.called      work#1/3 search {"n":3}
7   0s      tool.failed      work#1/3 search attempt 1: HTTP 503 [transient, resource, by http-transient]
8   0s      tool.called      work#1/4 search {"n":4}
9   0s      tool.failed      work#1/4 search attempt 1: HTTP 503 [transient, resource, by http-transient]
10  0s      tool.called      work#1/5 search {"n":5}
11  0s      tool.done        work#1/5 search → "found"
12  0s      tool.called      work#1/6 search {"n":6}
13  0s      tool.failed      work#1/6 search attempt 1: HTTP 503 [transient, resource, by http-transient]
14  0s      tool.called      work#1/7 search {"n":7}
15  0s      circuit.opened   work#1/7 search after 5 failures
16  0s      tool.failed      work#1/7 search attempt 1: HTTP 503 [transient, resource, by http-transient]
17  0s      circuit.refused  work#1/8 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]
18  0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 7
ended    success: goal
spent    1 steps, 7 toolCalls
