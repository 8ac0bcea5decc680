# A call that may succeed later is retried with a growing backoff. A call that would fail again is not retried, nor is one with an unknown
# error.

graph:
  tools: { search: { use: flaky }, read: { use: flaky }, odd: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }
world:
  nodes: { work: [call search, call read, call odd] }
  tools:
    search: { does: [fails HTTP 503, fails HTTP 503, answers found] }
    read: { does: [fails HTTP 404] }
    odd: { does: [fails Flurble exceeded] }

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
9   3.21s   tool.done        work#1/1 search → "found"
10  3.21s   tool.called      work#1/2 read {}
11  3.21s   tool.failed      work#1/2 read attempt 1: HTTP 404 [persistent, request, by http-request]
12  3.21s   tool.called      work#1/3 odd {}
13  3.21s   tool.failed      work#1/3 odd attempt 1: Flurble exceeded [unknown, resource, by none]
14  3.21s   node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 3, read 1, odd 1
ended    success: goal
spent    1 steps, 5 toolCalls, 3.21s
