# The service answers 200, and the tool cannot read the response. No rule classifies the error, but the charge was made or may have
# been made: its tool is asked.

graph:
  tools: { charge: { use: flaky, effects: write } }
  nodes:
    work: { use: tool, tool: charge, on: { done: end } }
    end: { final: success }
world:
  tools: { charge: { does: [fails HTTP 200 without JSON], reconcile: applied paid } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 charge {}
3   0s      tool.failed      work#1/1 charge attempt 1: HTTP 200 without JSON [indeterminate, resource, by none], not for good
4   0s      call.reconciled  work#1/1 charge applied, says the tool: "paid"
5   0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   charge 1
ended    success: goal
spent    1 steps, 1 toolCalls
