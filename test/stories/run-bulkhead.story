# A tool allows two concurrent calls. A third is refused without reaching the tool, waits, and gets its turn.

graph:
  tools: { search: { use: flaky, concurrency: 2 } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['batch search {"q":1} & search {"q":2} & search {"q":3}'] }
  tools: { search: { does: [after 500ms answers one, after 700ms answers two, answers three] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.failed      work#1/3 search attempt 1: BulkheadFull: concurrency-limit call=search [transient, request, by full], not for good (others are still out)
3   0s      call.waiting     work#1/3 search attempt 2 comes later (others are still out)
4   0s      tool.called      work#1/1 search {"q":1} (others are still out)
5   0s      tool.called      work#1/2 search {"q":2} (others are still out)
6   0.5s    tool.done        work#1/1 search → "one" (others are still out)
7   0.7s    tool.done        work#1/2 search → "two" (others are still out)
8   1.06s   tool.called      work#1/3 search {"q":3} attempt 2
9   1.06s   tool.done        work#1/3 search → "three"
10  1.06s   node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 3
ended    success: goal
spent    1 steps, 3 toolCalls, 1.06s
