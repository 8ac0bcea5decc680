# By default, the eighth transient failure of a tool within ten minutes counts as persistent.

graph:
  tools: { search: { use: flaky } }
  breaker: { threshold: 99 }
  retry: { attempts: 5 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  detect: { errors: false }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}'] }
  tools: { search: { does: [fails HTTP 503] } }

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
9   3.21s   tool.failed      work#1/1 search attempt 3: HTTP 503 [transient, resource, by http-transient], not for good
10  3.21s   call.waiting     work#1/1 search attempt 4 comes later
11  7.3s    tool.called      work#1/1 search {"q":1} attempt 4
12  7.3s    tool.failed      work#1/1 search attempt 4: HTTP 503 [transient, resource, by http-transient], not for good
13  7.3s    call.waiting     work#1/1 search attempt 5 comes later
14  15.4s   tool.called      work#1/1 search {"q":1} attempt 5
15  15.4s   tool.failed      work#1/1 search attempt 5: HTTP 503 [transient, resource, by http-transient]
16  15.4s   tool.called      work#1/2 search {"q":2}
17  15.4s   tool.failed      work#1/2 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
18  15.4s   call.waiting     work#1/2 search attempt 2 comes later
19  16.42s  tool.called      work#1/2 search {"q":2} attempt 2
20  16.42s  tool.failed      work#1/2 search attempt 2: HTTP 503 [transient, resource, by http-transient], not for good
21  16.42s  call.waiting     work#1/2 search attempt 3 comes later
22  18.56s  tool.called      work#1/2 search {"q":2} attempt 3
23  18.56s  tool.failed      work#1/2 search attempt 3: HTTP 503 [persistent, was transient, resource, by recurring]
24  18.56s  node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 8
ended    success: goal
spent    1 steps, 8 toolCalls, 18.56s
