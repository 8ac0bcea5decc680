# The question expires. The call is not made, and its node is notified.

graph:
  tools: { pay: { use: flaky, effects: write, confirm: always } }
  nodes:
    work: { use: tool, tool: pay, on: { done: end, error: unpaid } }
    end: { final: success }
    unpaid: { final: failure }
  escape: { review: { deadline: 1h } }
world: { tools: { pay: { does: [answers paid] } } }

drive
later 1h
submit resume approved @work#1/1?
drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      call.proposed    work#1/1 pay {}
3   1h      tick             work#1/1?
4   1h      turn.started     work#1 by driver 2
5   1h      tool.failed      work#1/1 pay attempt 1: NotAllowed: approval-expired call=pay [business, request, by confirm]
6   1h      node.failed      work#1 NotAllowed: approval-expired call=pay [business, request, by confirm]  ⇒ unpaid
            ended    failure: failure, result {}
ledger   
refused  question-expired question="work#1/1?"
ended    failure: failure
spent    1 steps
