# Three failures in a row open the breaker, and further calls are refused without reaching the tool. After its time, one probe passes and
# closes it.

graph:
  tools: { search: { use: flaky }, nap: { use: flaky } }
  retry: { attempts: 1 }
  breaker: { threshold: 3, reset: 10s }
  nodes:
    first: { use: ./work.ts#first, on: { done: pause } }
    pause: { use: tool, tool: nap, on: { done: second } }
    second: { use: ./work.ts#second, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }
  detect: { errors: false, sequence: false, repetition: false, stale: false }
world:
  nodes:
    first: [call search, call search, call search, call search]
    second: [call search, call search]
  tools: { search: { does: [fails HTTP 503, fails HTTP 503, fails HTTP 503, answers found] }, nap: { does: [after 12s answers slept] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     first#1
2   0s      tool.called      first#1/1 search {}
3   0s      tool.failed      first#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient]
4   0s      tool.called      first#1/2 search {}
5   0s      tool.failed      first#1/2 search attempt 1: HTTP 503 [transient, resource, by http-transient]
6   0s      tool.called      first#1/3 search {}
7   0s      circuit.opened   first#1/3 search after 3 failures
8   0s      tool.failed      first#1/3 search attempt 1: HTTP 503 [transient, resource, by http-transient]
9   0s      circuit.refused  first#1/4 search CircuitOpen: circuit-open call=search seconds=10 [transient, resource, by circuit, retry after 10s]
10  0s      node.done        first#1 {}  ⇒ pause
11  0s      turn.started     pause#1
12  0s      tool.called      pause#1/1 nap {}
13  12s     tool.done        pause#1/1 nap → "slept"
14  12s     node.done        pause#1 "slept"  ⇒ second
15  12s     turn.started     second#1
16  12s     circuit.halfOpened second#1/1 search
17  12s     tool.called      second#1/1 search {}
18  12s     circuit.closed   second#1/1 search
19  12s     tool.done        second#1/1 search → "found"
20  12s     tool.called      second#1/2 search {}
21  12s     tool.done        second#1/2 search → "found"
22  12s     node.done        second#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 5, nap 1
ended    success: goal
spent    3 steps, 6 toolCalls, 12s
