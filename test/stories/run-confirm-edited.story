# The person corrects the arguments. The call runs with those, and stays the same call when the node runs again.

graph:
  tools: { pay: { use: flaky, effects: write, confirm: always } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call pay {"amount":500}', 'call pay {"amount":7}', returns paid] }
  tools: { pay: { does: [answers paid] } }

drive
submit resume edited @work#1/1?
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      call.proposed    work#1/1 pay {"amount":500}
refused  missing-arguments question="work#1/1?" call=pay
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-approval call=pay arguments="{\"amount\":500}"' until 1d
spent    1 steps

submit resume edited @work#1/1? {"amount":5}
drive
submit resume approved @work#1/2?
drive
ledger
----
3   0s      resume           work#1/1? edited {"amount":5}
4   0s      turn.started     work#1 by driver 3
5   0s      tool.called      work#1/1 pay {"amount":5}
6   0s      tool.done        work#1/1 pay → "paid"
7   0s      call.proposed    work#1/2 pay {"amount":7}
8   0s      resume           work#1/2? approved
9   0s      turn.started     work#1 by driver 4
10  0s      tool.called      work#1/2 pay {"amount":7}
11  0s      tool.done        work#1/2 pay → "paid"
12  0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 2
ended    success: goal
spent    1 steps, 2 toolCalls
