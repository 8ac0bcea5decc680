# The probe fails, and the breaker opens again for the same time. It never closes without a successful probe.

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
  nodes: { work: [call search, call search, call nap, call search, call search, call nap, call search] }
  tools: { search: { does: [fails HTTP 503, fails HTTP 503, fails HTTP 503, answers found] }, nap: { does: [after 11s answers slept] } }

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
9   11s     circuit.halfOpened work#1/4 search
10  11s     tool.called      work#1/4 search {}
11  11s     circuit.opened   work#1/4 search after 3 failures
12  11s     tool.failed      work#1/4 search attempt 1: HTTP 503 [transient, resource, by http-transient]
13  11s     circuit.refused  work#1/5 search CircuitOpen: circuit-open call=search seconds=10 [transient, resource, by circuit, retry after 10s]
14  11s     tool.called      work#1/6 nap {}
15  22s     tool.done        work#1/6 nap → "slept"
16  22s     circuit.halfOpened work#1/7 search
17  22s     tool.called      work#1/7 search {}
18  22s     circuit.closed   work#1/7 search
19  22s     tool.done        work#1/7 search → "found"
20  22s     node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 4, nap 2
ended    success: goal
spent    1 steps, 6 toolCalls, 22s
