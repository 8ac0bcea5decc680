# Retries of an SDK inside a tool, of the runtime and of the model share one count and one cap. At the cap, the runtime stops retrying,
# and a call that failed before is refused without an attempt. Another call is still made once, and its success resets the count.

graph:
  tools: { search: { use: flaky, retry: { total: 5 } } }
  breaker: { threshold: 99 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }
  detect: { errors: false, sequence: false, repetition: false, stale: false }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":1}', 'call search {"q":1}', 'call search {"q":2}', 'call search {"q":1}'] }
  tools: { search: { does: [fails HTTP 503 having tried 2 times, fails HTTP 503, fails HTTP 503, fails HTTP 503, fails HTTP 503, answers found] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      tool.failed      work#1/1 search attempt 1 (tried 2 times): HTTP 503 [transient, resource, by http-transient], not for good
4   0s      call.waiting     work#1/1 search attempt 2 comes later
5   1.06s   tool.called      work#1/1 search {"q":1} attempt 2
6   1.06s   tool.failed      work#1/1 search attempt 2: HTTP 503 [transient, resource, by http-transient], not for good
7   1.06s   call.waiting     work#1/1 search attempt 3 comes later
8   3.21s   tool.called      work#1/1 search {"q":1} attempt 3
9   3.21s   tool.failed      work#1/1 search attempt 3: HTTP 503 [transient, resource, by http-transient]
10  3.21s   tool.called      work#1/2 search {"q":1}
11  3.21s   tool.failed      work#1/2 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
12  3.21s   call.waiting     work#1/2 search attempt 2 comes later
13  4.23s   tool.called      work#1/2 search {"q":1} attempt 2
14  4.23s   tool.failed      work#1/2 search attempt 2: HTTP 503 [transient, resource, by http-transient]
15  4.23s   tool.failed      work#1/3 search attempt 1: RetriesSpent: retries-spent call=search retries=5 [persistent, request, by retries]
16  4.23s   tool.called      work#1/4 search {"q":2}
17  4.23s   tool.done        work#1/4 search → "found"
18  4.23s   tool.called      work#1/5 search {"q":1}
19  4.23s   tool.done        work#1/5 search → "found"
20  4.23s   node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 7
ended    success: goal
spent    1 steps, 7 toolCalls, 4.23s
