# All retries are spent, so the call would be refused. Its breaker is open, however, and the probe that it allows later restores the tool.

graph:
  tools: { search: { use: flaky, retry: { total: 2 } }, nap: { use: flaky } }
  breaker: { threshold: 3, reset: 10s }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }
  detect: { errors: false, sequence: false, repetition: false, stale: false }
world:
  nodes: { work: [call search, call search, call nap, call search, call search] }
  tools: { search: { does: [fails HTTP 503, fails HTTP 503, fails HTTP 503, answers found] }, nap: { does: [after 11s answers slept] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
4   0s      call.waiting     work#1/1 search attempt 2 comes later
5   1.06s   tool.called      work#1/1 search {} attempt 2
6   1.06s   tool.failed      work#1/1 search attempt 2: HTTP 503 [transient, resource, by http-transient], not for good
7   1.06s   call.waiting     work#1/1 search attempt 3 comes later
8   3.21s   tool.called      work#1/1 search {} attempt 3
9   3.21s   circuit.opened   work#1/1 search after 3 failures
10  3.21s   tool.failed      work#1/1 search attempt 3: HTTP 503 [transient, resource, by http-transient]
11  3.21s   circuit.refused  work#1/2 search CircuitOpen: circuit-open call=search seconds=10 [transient, resource, by circuit, retry after 10s]
12  3.21s   tool.called      work#1/3 nap {}
13  14.21s  tool.done        work#1/3 nap → "slept"
14  14.21s  circuit.halfOpened work#1/4 search
15  14.21s  tool.called      work#1/4 search {}
16  14.21s  circuit.closed   work#1/4 search
17  14.21s  tool.done        work#1/4 search → "found"
18  14.21s  tool.called      work#1/5 search {}
19  14.21s  tool.done        work#1/5 search → "found"
20  14.21s  node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 5, nap 1
ended    success: goal
spent    1 steps, 6 toolCalls, 14.21s
