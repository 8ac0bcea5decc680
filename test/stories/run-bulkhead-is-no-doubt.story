# A payment that meets the concurrency limit was never sent. It is retried a little later, without a question.

graph:
  tools: { pay: { use: flaky, effects: write, concurrency: 1 } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['batch pay {"amount":1} & pay {"amount":2}'] }
  tools: { pay: { does: [after 2s answers paid, answers paid] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.failed      work#1/2 pay attempt 1: BulkheadFull: concurrency-limit call=pay [transient, request, by full], not for good (others are still out)
3   0s      call.waiting     work#1/2 pay attempt 2 comes later (others are still out)
4   0s      tool.called      work#1/1 pay {"amount":1} (others are still out)
5   1.02s   tool.failed      work#1/2 pay attempt 2: BulkheadFull: concurrency-limit call=pay [transient, request, by full], not for good (others are still out)
6   1.02s   call.waiting     work#1/2 pay attempt 3 comes later (others are still out)
7   2s      tool.done        work#1/1 pay → "paid" (others are still out)
8   3.16s   tool.called      work#1/2 pay {"amount":2} attempt 3
9   3.16s   tool.done        work#1/2 pay → "paid"
10  3.16s   node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   pay 2
ended    success: goal
spent    1 steps, 2 toolCalls, 3.16s
