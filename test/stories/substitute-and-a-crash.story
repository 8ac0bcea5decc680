# The process dies while the substitute works. The next process continues with the substitute, which the journal names, and does not call
# the original again.

graph:
  tools: { search: { use: flaky, substitutes: [mirror] }, mirror: { use: flaky } }
  breaker: { threshold: 1, reset: 30s }
  retry: { attempts: 1 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}'] }
  tools: { search: { does: [fails HTTP 503] }, mirror: { does: [dies, answers found] } }

drive
later 1m
drive as other
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      circuit.opened   work#1/1 search after 1 failures
4   0s      tool.failed      work#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
5   0s      call.substituted work#1/1 search is out of order: mirror answers
6   0s      tool.called      work#1/1 mirror {"q":1} instead of search
7   1m      turn.started     work#1 by driver 2
8   1m      tool.called      work#1/1 mirror {"q":1} instead of search
9   1m      tool.done        work#1/1 mirror → "found"
10  1m      circuit.halfOpened work#1/2 search
11  1m      tool.called      work#1/2 search {"q":2}
12  1m      circuit.opened   work#1/2 search after 2 failures
13  1m      tool.failed      work#1/2 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
14  1m      call.substituted work#1/2 search is out of order: mirror answers
15  1m      tool.called      work#1/2 mirror {"q":2} instead of search
16  1m      tool.done        work#1/2 mirror → "found"
17  1m      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
thrown   Error: the process is gone
ledger   search 2, mirror 3
ended    success: goal
spent    1 steps, 5 toolCalls
