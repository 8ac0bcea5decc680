# After the time of the breaker, one call goes to the original. It fails, and the substitute answers. The next probe succeeds, and the
# original is used again.

graph:
  tools: { search: { use: flaky, substitutes: [mirror] }, mirror: { use: flaky }, nap: { use: flaky } }
  breaker: { threshold: 1, reset: 10s }
  retry: { attempts: 1 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call search {"q":1}', 'call nap {"n":1}', 'call search {"q":2}', 'call nap {"n":2}', 'call search {"q":3}', 'call search {"q":4}'] }
  tools: { search: { does: [fails HTTP 503, fails HTTP 503, answers found] }, mirror: { does: [answers mirrored] }, nap: { does: [after 11s answers slept] } }

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
8   0s      tool.called      work#1/2 nap {"n":1}
9   11s     tool.done        work#1/2 nap → "slept"
10  11s     circuit.halfOpened work#1/3 search
11  11s     tool.called      work#1/3 search {"q":2}
12  11s     circuit.opened   work#1/3 search after 2 failures
13  11s     tool.failed      work#1/3 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
14  11s     call.substituted work#1/3 search is out of order: mirror answers
15  11s     tool.called      work#1/3 mirror {"q":2} instead of search
16  11s     tool.done        work#1/3 mirror → "mirrored"
17  11s     tool.called      work#1/4 nap {"n":2}
18  22s     tool.done        work#1/4 nap → "slept"
19  22s     circuit.halfOpened work#1/5 search
20  22s     tool.called      work#1/5 search {"q":3}
21  22s     circuit.closed   work#1/5 search
22  22s     tool.done        work#1/5 search → "found"
23  22s     tool.called      work#1/6 search {"q":4}
24  22s     tool.done        work#1/6 search → "found"
25  22s     node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 4, mirror 2, nap 2
ended    success: goal
spent    1 steps, 8 toolCalls, 22s
