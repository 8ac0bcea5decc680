# Substitutes have substitutes: those of the original come first, then theirs, each once per call. The failure of the last one is the
# result. If all breakers are open, no tool is called.

graph:
  tools:
    search: { use: flaky, substitutes: [mirror, cache] }
    mirror: { use: flaky, substitutes: [archive] }
    cache: { use: flaky }
    archive: { use: flaky }
  breaker: { threshold: 1, reset: 30s }
  retry: { attempts: 1 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }
  detect: { errors: false }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}', 'call search {"q":3}'] }
  tools:
    search: { does: [fails HTTP 503] }
    mirror: { does: [fails HTTP 503] }
    cache: { does: [fails HTTP 503] }
    archive: { does: [answers found, fails HTTP 503] }

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
7   0s      circuit.opened   work#1/1 mirror after 1 failures
8   0s      tool.failed      work#1/1 mirror attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
9   0s      call.substituted work#1/1 search is out of order: cache answers
10  0s      tool.called      work#1/1 cache {"q":1} instead of search
11  0s      circuit.opened   work#1/1 cache after 1 failures
12  0s      tool.failed      work#1/1 cache attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
13  0s      call.substituted work#1/1 search is out of order: archive answers
14  0s      tool.called      work#1/1 archive {"q":1} instead of search
15  0s      tool.done        work#1/1 archive → "found"
16  0s      call.substituted work#1/2 search is out of order: archive answers
17  0s      tool.called      work#1/2 archive {"q":2} instead of search
18  0s      circuit.opened   work#1/2 archive after 1 failures
19  0s      tool.failed      work#1/2 archive attempt 1: HTTP 503 [transient, resource, by http-transient]
20  0s      circuit.refused  work#1/3 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]
21  0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 1, mirror 1, cache 1, archive 2
ended    success: goal
spent    1 steps, 5 toolCalls
