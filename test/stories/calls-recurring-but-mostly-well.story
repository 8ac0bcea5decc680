# A tool that fails occasionally and mostly succeeds is healthy. Each success takes back one failure, and all failures stay transient.

graph:
  tools: { search: { use: flaky } }
  failures: { recurring: { times: 2, within: 1m } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}', 'call search {"q":3}'] }
  tools: { search: { does: [fails HTTP 503, answers one, fails HTTP 503, answers two, fails HTTP 503, answers three] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
4   0s      call.waiting     work#1/1 search attempt 2 comes later
5   1.06s   tool.called      work#1/1 search {"q":1} attempt 2
6   1.06s   tool.done        work#1/1 search → "one"
7   1.06s   tool.called      work#1/2 search {"q":2}
8   1.06s   tool.failed      work#1/2 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
9   1.06s   call.waiting     work#1/2 search attempt 2 comes later
10  2.08s   tool.called      work#1/2 search {"q":2} attempt 2
11  2.08s   tool.done        work#1/2 search → "two"
12  2.08s   tool.called      work#1/3 search {"q":3}
13  2.08s   tool.failed      work#1/3 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
14  2.08s   call.waiting     work#1/3 search attempt 2 comes later
15  3.14s   tool.called      work#1/3 search {"q":3} attempt 2
16  3.14s   tool.done        work#1/3 search → "three"
17  3.14s   node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 6
ended    success: goal
spent    1 steps, 6 toolCalls, 3.14s
