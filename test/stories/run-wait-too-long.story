# The probe is later than `escape.wait.most`: the call is refused at once, and the reason names the breaker.

graph:
  tools: { search: { use: flaky } }
  retry: { attempts: 1 }
  breaker: { threshold: 1, reset: 5m }
  nodes:
    look: { use: tool, tool: search, on: { done: end } }
    end: { final: success }
  escape: { wait: { most: 1m } }
world:
  tools: { search: { does: [fails HTTP 503, answers found] } }

drive
thread second
drive
----
thread   story
0   0s      thread.started   {}
1   0s      turn.started     look#1
2   0s      tool.called      look#1/1 search {}
3   0s      circuit.opened   look#1/1 search after 1 failures
4   0s      tool.failed      look#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient]
5   0s      node.failed      look#1 HTTP 503 [transient, resource, by http-transient]  ⇒ stopped
            found    failure (transient): node-failed node=look ← error message="HTTP 503" class=transient status=503
                     period 1, 1 times, since 5, seen at 5, in look, burned 1 toolCalls
            escape   stop (failure.transient)
            ended    stopped: failure.transient because node-failed node=look ← error message="HTTP 503" class=transient status=503, result {}
ended    stopped: failure.transient because node-failed node=look ← error message="HTTP 503" class=transient status=503
spent    1 steps, 1 toolCalls
lesson   node-failed node=look ← error message="HTTP 503" class=transient status=503
thread   second
0   0s      thread.started   {}
1   0s      turn.started     look#1
2   0s      circuit.refused  look#1/1 search CircuitOpen: circuit-open call=search seconds=300 [transient, resource, by circuit, retry after 5m]
3   0s      node.failed      look#1 CircuitOpen: circuit-open call=search seconds=300 [transient, resource, by circuit, retry after 5m]  ⇒ stopped
            found    circuit (transient): node-failed node=look ← circuit-open call=search seconds=300
                     period 1, 1 times, since 3, seen at 3, in look, burned 1 steps
            escape   stop (circuit)
            ended    stopped: circuit because node-failed node=look ← circuit-open call=search seconds=300, result {}
ended    stopped: circuit because node-failed node=look ← circuit-open call=search seconds=300
spent    1 steps
lesson   node-failed node=look ← circuit-open call=search seconds=300
