# Of two simultaneous calls after the time of the breaker, one is the probe. The substitute answers the other, which is not refused.

graph:
  tools: { search: { use: flaky, substitutes: [mirror] }, mirror: { use: flaky }, nap: { use: flaky } }
  breaker: { threshold: 1, reset: 10s }
  retry: { attempts: 1 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call search {"q":1}', call nap, 'batch search {"q":2} & search {"q":3}'] }
  tools: { search: { does: [fails HTTP 503, after 2s answers found] }, mirror: { does: [answers mirrored] }, nap: { does: [after 11s answers slept] } }

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
8   0s      tool.called      work#1/2 nap {}
9   11s     tool.done        work#1/2 nap → "slept"
10  11s     circuit.halfOpened work#1/3 search  (others are still out)
11  11s     tool.called      work#1/3 search {"q":2} (others are still out)
12  11s     call.substituted work#1/4 search is out of order: mirror answers (others are still out)
13  11s     tool.called      work#1/4 mirror {"q":3} instead of search (others are still out)
14  11s     tool.done        work#1/4 mirror → "mirrored" (others are still out)
15  13s     circuit.closed   work#1/3 search
16  13s     tool.done        work#1/3 search → "found"
17  13s     node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 2, mirror 2, nap 1
ended    success: goal
spent    1 steps, 5 toolCalls, 13s
