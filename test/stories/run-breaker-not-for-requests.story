# An invalid request is not the fault of the tool. After five of them, the breaker stays closed.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }
  detect: { errors: false }
world:
  nodes: { work: ['call search {"q":1}', 'call search {"q":2}', 'call search {"q":3}', 'call search {"q":4}', 'call search {"q":5}', 'call search {"q":6}'] }
  tools:
    search: { does: [fails HTTP 400, fails HTTP 404, fails HTTP 422, fails name=BusinessError not in stock, fails code=ENOENT no such file, answers found] }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":1}
3   0s      tool.failed      work#1/1 search attempt 1: HTTP 400 [persistent, request, by http-request]
4   0s      tool.called      work#1/2 search {"q":2}
5   0s      tool.failed      work#1/2 search attempt 1: HTTP 404 [persistent, request, by http-request]
6   0s      tool.called      work#1/3 search {"q":3}
7   0s      tool.failed      work#1/3 search attempt 1: HTTP 422 [persistent, request, by http-request]
8   0s      tool.called      work#1/4 search {"q":4}
9   0s      tool.failed      work#1/4 search attempt 1: BusinessError: not in stock [business, request, by business]
10  0s      tool.called      work#1/5 search {"q":5}
11  0s      tool.failed      work#1/5 search attempt 1: no such file [persistent, request, by files]
12  0s      tool.called      work#1/6 search {"q":6}
13  0s      tool.done        work#1/6 search → "found"
14  0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 6 toolCalls
