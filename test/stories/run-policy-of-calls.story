# A policy change affects how calls are handled: the class of a failure, the number of retries, and the threshold of a breaker.

graph:
  tools: { search: { use: flaky } }
  nodes:
    first: { use: ./work.ts#first, on: { done: ask } }
    ask: { use: human, question: Go on?, deadline: 1d, on: { human.approved: second } }
    second: { use: ./work.ts#second, on: { done: end } }
    end: { final: success }
  detect: { errors: false, sequence: false, repetition: false, stale: false, mistakes: false }
world:
  nodes: { first: [call search], second: [call search, call search, call search] }
  tools: { search: { does: [fails HTTP 404, answers once, fails HTTP 404] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     first#1
2   0s      tool.called      first#1/1 search {}
3   0s      tool.failed      first#1/1 search attempt 1: HTTP 404 [persistent, request, by http-request]
4   0s      node.done        first#1 {}  ⇒ ask
in       ask
pending  ask#1 asks 'Go on?' until 1d
spent    1 steps, 1 toolCalls

submit policy.change {"failures":{"rules":[{"id":"not-yet","status":[404],"class":"transient","scope":"resource"}]},"retry":{"attempts":2,"base":"5s"},"breaker":{"threshold":2,"reset":"1m"}}
submit resume approved @ask#1
drive
----
5   0s      policy.changed   {"failures":{"rules":[{"id":"not-yet","status":[404],"class":"transient","scope":"resource"}]},"retry":{"attempts":2,"base":"5s"},"breaker":{"threshold":2,"reset":"1m"}}
6   0s      resume           ask#1 approved  ⇒ second
7   0s      turn.started     second#1 by driver 2
8   0s      tool.called      second#1/1 search {}
9   0s      tool.done        second#1/1 search → "once"
10  0s      tool.called      second#1/2 search {}
11  0s      tool.failed      second#1/2 search attempt 1: HTTP 404 [transient, resource, by not-yet], not for good
12  0s      call.waiting     second#1/2 search attempt 2 comes later
13  5.35s   tool.called      second#1/2 search {} attempt 2
14  5.35s   circuit.opened   second#1/2 search after 2 failures
15  5.35s   tool.failed      second#1/2 search attempt 2: HTTP 404 [transient, resource, by not-yet]
16  5.35s   circuit.refused  second#1/3 search CircuitOpen: circuit-open call=search seconds=60 [transient, resource, by circuit, retry after 1m]
17  5.35s   node.done        second#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    3 steps, 4 toolCalls, 5.35s
