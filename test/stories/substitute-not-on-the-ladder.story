# Without `substitute` on the ladder, no substitute is used.

graph:
  tools: { search: { use: flaky, substitutes: [mirror] }, mirror: { use: flaky } }
  breaker: { threshold: 1, reset: 30s }
  retry: { attempts: 1 }
  escape: { ladder: [retry, alternative, review, stop] }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}'] }
  tools: { search: { does: [fails HTTP 503] }, mirror: { does: [answers mirrored] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      circuit.opened   work#1/1 search after 1 failures
4   0s      tool.failed      work#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient]
5   0s      circuit.refused  work#1/2 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]
6   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 1
ended    success: goal
spent    1 steps, 1 toolCalls
