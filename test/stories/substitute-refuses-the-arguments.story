# A substitute that rejects the arguments is skipped. If no other is left, the call is refused as without substitutes.

graph:
  tools: { search: { use: flaky, substitutes: [lookup, mirror] }, lookup: { use: flaky }, mirror: { use: flaky } }
  breaker: { threshold: 1, reset: 30s }
  retry: { attempts: 1 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"id":7}', 'call search {"page":2}'] }
  tools:
    search: { does: [fails HTTP 503] }
    lookup: { takes: id, does: [answers looked up] }
    mirror: { takes: q, does: [answers mirrored] }

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
7   0s      tool.done        work#1/1 mirror → "mirrored"
8   0s      call.substituted work#1/2 search is out of order: lookup answers
9   0s      tool.called      work#1/2 lookup {"id":7} instead of search
10  0s      tool.done        work#1/2 lookup → "looked up"
11  0s      circuit.refused  work#1/3 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]
12  0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 1, mirror 1, lookup 1
ended    success: goal
spent    1 steps, 3 toolCalls
