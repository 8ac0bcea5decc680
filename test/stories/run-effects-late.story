# A write that took effect after it was abandoned is listed as late, because the thread continued without it. A write whose node waited
# for it is only slow.

graph:
  tools:
    put: { use: flaky, effects: write, idempotent: true, timeout: 1s, retry: 0 }
    pay: { use: flaky, effects: write, timeout: 5s }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: [call put, call pay] }
  tools: { put: { does: [ignores the signal 3s answers stored] }, pay: { does: [ignores the signal 8s answers paid] } }

drive
effects
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 put {}
3   1s      tool.failed      work#1/1 put attempt 1: TimeoutError: no-answer ms=1000 [transient, resource, by timeout]
4   1s      tool.called      work#1/2 pay {}
5   3s      call.late        work#1/1 put → "stored" (others are still out)
6   6s      tool.failed      work#1/2 pay attempt 1: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
7   9s      call.late        work#1/2 pay → "paid"
8   9s      turn.started     work#1
9   9s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
effect   put {} late, known by 5: effect-late
effect   pay {} irreversible, known by 7: effect-applied by=late
ended    success: goal
spent    1 steps, 2 toolCalls, 6s
