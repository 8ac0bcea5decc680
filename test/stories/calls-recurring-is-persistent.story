# A recurring transient failure counts as persistent and is not retried: here the fourth within a minute. Older failures do not count.

graph:
  tools: { search: { use: flaky }, nap: { use: flaky, timeout: 2m } }
  breaker: { threshold: 99 }
  failures: { recurring: { times: 4, within: 1m } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }
  detect: { errors: false, sequence: false, repetition: false, stale: false }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}', call nap, 'call search {"q":3}'] }
  tools: { search: { does: [fails HTTP 503] }, nap: { does: [after 90s answers slept] } }

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
9   3.21s   tool.failed      work#1/1 search attempt 3: HTTP 503 [transient, resource, by http-transient]
10  3.21s   tool.called      work#1/2 search {"q":2}
11  3.21s   tool.failed      work#1/2 search attempt 1: HTTP 503 [persistent, was transient, resource, by recurring]
12  3.21s   tool.called      work#1/3 nap {}
13  1m33.21s tool.done        work#1/3 nap → "slept"
14  1m33.21s tool.called      work#1/4 search {"q":3}
15  1m33.21s tool.failed      work#1/4 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
16  1m33.21s call.waiting     work#1/4 search attempt 2 comes later
17  1m34.22s tool.called      work#1/4 search {"q":3} attempt 2
18  1m34.22s tool.failed      work#1/4 search attempt 2: HTTP 503 [transient, resource, by http-transient], not for good
19  1m34.22s call.waiting     work#1/4 search attempt 3 comes later
20  1m36.36s tool.called      work#1/4 search {"q":3} attempt 3
21  1m36.36s tool.failed      work#1/4 search attempt 3: HTTP 503 [transient, resource, by http-transient]
22  1m36.36s node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 7, nap 1
ended    success: goal
spent    1 steps, 8 toolCalls, 1m36.36s
