# An idempotent write may always be repeated with the same tool. A substitute does not make it then: the first attempt may have taken
# effect, and the other tool does not know of it. Without doubt, as in the second call, the substitute makes it.

graph:
  tools:
    put: { use: flaky, effects: write, idempotent: true, timeout: 5s, substitutes: [put_elsewhere] }
    put_elsewhere: { use: flaky, effects: write, idempotent: true }
  breaker: { threshold: 2, reset: 30s }
  retry: { attempts: 2 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call put {"n":1}', 'call put {"n":2}'] }
  tools: { put: { does: [hangs, fails HTTP 503] }, put_elsewhere: { does: [answers stored] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 put {"n":1}
3   5s      tool.failed      work#1/1 put attempt 1: TimeoutError: no-answer ms=5000 [transient, resource, by timeout], not for good
4   5s      call.waiting     work#1/1 put attempt 2 comes later
5   5s      call.late        work#1/1 put failed: "no-answer"
6   6.06s   tool.called      work#1/1 put {"n":1} attempt 2
7   6.06s   circuit.opened   work#1/1 put after 2 failures
8   6.06s   tool.failed      work#1/1 put attempt 2: HTTP 503 [transient, resource, by http-transient]
9   6.06s   call.substituted work#1/2 put is out of order: put_elsewhere answers
10  6.06s   tool.called      work#1/2 put_elsewhere {"n":2} instead of put
11  6.06s   tool.done        work#1/2 put_elsewhere → "stored"
12  6.06s   node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   put 2, put_elsewhere 1
ended    success: goal
spent    1 steps, 3 toolCalls, 6.06s
