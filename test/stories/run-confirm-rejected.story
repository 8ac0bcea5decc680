# The person rejects the call. It fails without running, and a node with an edge for rejection takes it.

graph:
  tools: { delete_all: { use: flaky, effects: write, confirm: always } }
  nodes:
    work: { use: tool, tool: delete_all, args: { path: / }, on: { done: end, error.business: kept } }
    end: { final: success }
    kept: { final: failure }
world: { tools: { delete_all: { does: [answers gone] } } }

drive
submit resume rejected @work#1/1?
drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      call.proposed    work#1/1 delete_all {"path":"/"}
3   0s      resume           work#1/1? rejected
4   0s      turn.started     work#1 by driver 2
5   0s      tool.failed      work#1/1 delete_all attempt 1: NotAllowed: call-rejected call=delete_all [business, request, by confirm]
6   0s      node.failed      work#1 NotAllowed: call-rejected call=delete_all [business, request, by confirm]  ⇒ kept
            ended    failure: failure, result {}
ledger   
ended    failure: failure
spent    1 steps
