# The third failed attempt opens the breaker of `search`, and `mirror` answers the same call. While the breaker is open, `mirror` answers
# at once. The model sees no failure.

graph:
  tools: { search: { use: flaky, substitutes: [mirror] }, mirror: { use: flaky } }
  breaker: { threshold: 3, reset: 30s }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}'] }
  tools: { search: { does: [fails HTTP 503] }, mirror: { does: [answers found, answers found too] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
4   0s      call.waiting     work#1/1 search attempt 2 comes later
5   1.06s   tool.called      work#1/1 search {"q":1} attempt 2
6   1.06s   tool.failed      work#1/1 search attempt 2: HTTP 503 [transient, resource, by http-transient], not for good
7   1.06s   call.waiting     work#1/1 search attempt 3 comes later
8   3.21s   tool.called      work#1/1 search {"q":1} attempt 3
9   3.21s   circuit.opened   work#1/1 search after 3 failures
10  3.21s   tool.failed      work#1/1 search attempt 3: HTTP 503 [transient, resource, by http-transient], not for good
11  3.21s   call.substituted work#1/1 search is out of order: mirror answers
12  3.21s   tool.called      work#1/1 mirror {"q":1} instead of search
13  3.21s   tool.done        work#1/1 mirror → "found"
14  3.21s   call.substituted work#1/2 search is out of order: mirror answers
15  3.21s   tool.called      work#1/2 mirror {"q":2} instead of search
16  3.21s   tool.done        work#1/2 mirror → "found too"
17  3.21s   node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 3, mirror 2
ended    success: goal
spent    1 steps, 5 toolCalls, 3.21s
