# The process dies inside an idempotent write that may have taken effect. The next process repeats it with the same tool. When the breaker
# opens, no substitute makes it.

graph:
  tools:
    put: { use: flaky, effects: write, idempotent: true, substitutes: [put_elsewhere] }
    put_elsewhere: { use: flaky, effects: write, idempotent: true }
  breaker: { threshold: 1, reset: 30s }
  retry: { attempts: 1 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call put {"n":1}'] }
  tools: { put: { does: [dies, fails HTTP 503] }, put_elsewhere: { does: [answers stored] } }

drive
drive as other
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 put {"n":1}
3   0s      turn.started     work#1 by driver 2
4   0s      tool.called      work#1/1 put {"n":1}
5   0s      circuit.opened   work#1/1 put after 1 failures
6   0s      tool.failed      work#1/1 put attempt 1: HTTP 503 [transient, resource, by http-transient]
7   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
thrown   Error: the process is gone
ledger   put 2
ended    success: goal
spent    1 steps, 2 toolCalls
