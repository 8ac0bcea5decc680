# A write that requires confirmation is proposed with its arguments. The thread waits for a person, and the write runs after approval. The
# parallel read needs no confirmation.

graph:
  tools: { search: { use: flaky }, pay: { use: flaky, effects: write } }
  confirm: { '*': write }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: [call search, 'call pay {"amount":5}', returns paid] }
  tools: { search: { does: [answers found] }, pay: { does: [answers paid] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "found"
4   0s      call.proposed    work#1/2 pay {"amount":5}
ledger   search 1
in       work
pending  work#1 rests on work#1/2, work#1/2? asks 'ask-approval call=pay arguments="{\"amount\":5}"' until 1d
spent    1 steps, 1 toolCalls

later 2h
submit resume applied @work#1/2?
drive
----
refused  wrong-decision question="work#1/2?" expected=["approved","rejected","edited","stop"]
in       work
pending  work#1 rests on work#1/2, work#1/2? asks 'ask-approval call=pay arguments="{\"amount\":5}"' until 1d
spent    1 steps, 1 toolCalls

submit resume approved @work#1/2?
drive
ledger
----
5   2h      resume           work#1/2? approved
6   2h      turn.started     work#1 by driver 3
7   2h      tool.called      work#1/2 pay {"amount":5}
8   2h      tool.done        work#1/2 pay → "paid"
9   2h      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   search 1, pay 1
ended    success: goal
spent    1 steps, 2 toolCalls
