# All calls of a batch that require confirmation are proposed before any call runs. After the last answer, the batch continues: approved
# calls run, rejected ones do not, and the others run once.

graph:
  tools: { search: { use: flaky }, pay: { use: flaky, effects: write }, delete_x: { use: flaky, effects: write } }
  confirm: { 'delete_*': always, pay: always, '*': never }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['batch search {"q":1} & pay {"to":"a"} & delete_x {"id":3}', returns done] }
  tools: { search: { does: [answers found] }, pay: { does: [answers paid] }, delete_x: { does: [answers gone] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      call.proposed    work#1/2 pay {"to":"a"}
3   0s      call.proposed    work#1/3 delete_x {"id":3}
ledger   
in       work
pending  work#1 rests on work#1/3, work#1/2? asks 'ask-approval call=pay arguments="{\"to\":\"a\"}"' until 1d, work#1/3? asks 'ask-approval call=delete_x arguments="{\"id\":3}"' until 1d
spent    1 steps

submit resume rejected @work#1/3?
drive
----
4   0s      resume           work#1/3? rejected
in       work
pending  work#1 rests on work#1/2, work#1/2? asks 'ask-approval call=pay arguments="{\"to\":\"a\"}"' until 1d
spent    1 steps

submit resume approved @work#1/2?
drive
ledger
----
5   0s      resume           work#1/2? approved
6   0s      turn.started     work#1 by driver 3
7   0s      tool.failed      work#1/3 delete_x attempt 1: NotAllowed: call-rejected call=delete_x [business, request, by confirm] (others are still out)
8   0s      tool.called      work#1/1 search {"q":1} (others are still out)
9   0s      tool.called      work#1/2 pay {"to":"a"} (others are still out)
10  0s      tool.done        work#1/1 search → "found" (others are still out)
11  0s      tool.done        work#1/2 pay → "paid"
12  0s      node.done        work#1 "done"  ⇒ end
            ended    success: goal, result {}
ledger   search 1, pay 1
ended    success: goal
spent    1 steps, 2 toolCalls
