# A custom node makes calls endlessly. Each answer is new, so no detector reports it. The limit of calls per node fails the node.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end, error.persistent: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
  limits: { nodeCalls: 3 }
world:
  tools: { search: { does: [answers 1, answers 2, answers 3, answers 4, answers 5] } }
  nodes: { work: [call search 1, reports two, call search 3, call search 4, call search 5, returns 6] }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search 1
3   0s      tool.done        work#1/1 search → 1
4   0s      reported         work#1/2 "two"
5   0s      tool.called      work#1/3 search 3
6   0s      tool.done        work#1/3 search → 2
7   0s      node.failed      work#1 TooManyCalls: node-call-limit node=work limit=3 [persistent, request, by node-calls]  ⇒ other
8   0s      turn.started     other#1
9   0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 2
ended    success: goal
spent    2 steps, 2 toolCalls
