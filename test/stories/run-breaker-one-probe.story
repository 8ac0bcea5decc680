# Half-open allows one probe. Of two simultaneous calls, one passes and the other is refused.

graph:
  tools: { search: { use: flaky }, nap: { use: flaky } }
  retry: { attempts: 1 }
  breaker: { threshold: 2, reset: 10s }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }
  detect: { errors: false, sequence: false, repetition: false, stale: false }
world:
  nodes: { work: [call search, call search, call nap, 'batch search {"q":1} & search {"q":2}', call search] }
  tools: { search: { does: [fails HTTP 503, fails HTTP 503, after 2s answers found, answers found] }, nap: { does: [after 11s answers slept] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient]
4   0s      tool.called      work#1/2 search {}
5   0s      circuit.opened   work#1/2 search after 2 failures
6   0s      tool.failed      work#1/2 search attempt 1: HTTP 503 [transient, resource, by http-transient]
7   0s      tool.called      work#1/3 nap {}
8   11s     tool.done        work#1/3 nap → "slept"
9   11s     circuit.halfOpened work#1/4 search  (others are still out)
10  11s     tool.called      work#1/4 search {"q":1} (others are still out)
11  11s     circuit.refused  work#1/5 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s] (others are still out)
12  13s     circuit.closed   work#1/4 search
13  13s     tool.done        work#1/4 search → "found"
14  13s     tool.called      work#1/6 search {}
15  13s     tool.done        work#1/6 search → "found"
16  13s     node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 4, nap 1
ended    success: goal
spent    1 steps, 5 toolCalls, 13s
