# Two threads share a breaker. The first opens it, the second is refused, and only one of them probes.

graph:
  tools: { search: { use: flaky } }
  retry: { attempts: 1 }
  breaker: { threshold: 2, reset: 10s }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  detect: { errors: false, sequence: false, repetition: false, stale: false }
world:
  nodes: { work: [call search, call search] }
  tools: { search: { does: [fails HTTP 503, fails HTTP 503, after 2s answers found, answers found] } }

drive
thread second
drive
----
thread   story
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient]
4   0s      tool.called      work#1/2 search {}
5   0s      circuit.opened   work#1/2 search after 2 failures
6   0s      tool.failed      work#1/2 search attempt 1: HTTP 503 [transient, resource, by http-transient]
7   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 2 toolCalls
thread   second
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      circuit.refused  work#1/1 search CircuitOpen: circuit-open call=search seconds=10 [transient, resource, by circuit, retry after 10s]
3   0s      circuit.refused  work#1/2 search CircuitOpen: circuit-open call=search seconds=10 [transient, resource, by circuit, retry after 10s]
4   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps

later 10s
thread third
drive beside fourth
ledger
----
thread   third
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      circuit.halfOpened work#1/1 search
3   0s      tool.called      work#1/1 search {}
4   2s      circuit.closed   work#1/1 search
5   2s      tool.done        work#1/1 search → "found"
6   2s      tool.called      work#1/2 search {}
7   2s      tool.done        work#1/2 search → "found"
8   2s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 4
ended    success: goal
spent    1 steps, 2 toolCalls, 2s
thread   fourth
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      circuit.refused  work#1/1 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]
3   0s      circuit.refused  work#1/2 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]
4   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps
