# The key makes it safe to repeat a write, and a fork has its own keys. A fork in the middle of an idempotent write is therefore also in
# doubt. The journal of its parent holds the answer. The tool is not asked about the call of another thread.

graph:
  tools: { put: { use: flaky, effects: write, idempotent: true } }
  nodes:
    work: { use: tool, tool: put, on: { done: end } }
    end: { final: success }
world:
  tools: { put: { does: [answers kept], reconcile: applied kept before } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 put {}
3   0s      tool.done        work#1/1 put → "kept"
4   0s      node.done        work#1 "kept"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 1 toolCalls

fork at 2 as live
drive
ledger
----
thread   story-live
3   0s      forked           from story after 2, effects live
4   0s      turn.started     work#1 by driver 2
5   0s      call.reconciled  work#1/1 put applied, says the parent: "kept"
6   0s      node.done        work#1 "kept"  ⇒ end
            ended    success: goal, result {}
ledger   put 1
ended    success: goal
spent    1 steps, 1 toolCalls
