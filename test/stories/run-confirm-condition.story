# A condition on the arguments decides which calls require confirmation, and the question lists the arguments.

graph:
  tools: { pay: { use: flaky, effects: write, confirm: { when: 'args.amount > 100', question: 'Pay {{amount}} to {{to.name}}?' } } }
  nodes:
    small: { use: tool, tool: pay, args: { amount: 100, to: { name: Ada } }, on: { done: large } }
    large: { use: tool, tool: pay, args: { amount: 100.5, to: { name: Bob } }, on: { done: paid } }
    paid: { final: success }
world:
  tools: { pay: { does: [answers paid] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     small#1
2   0s      tool.called      small#1/1 pay {"amount":100,"to":{"name":"Ada"}}
3   0s      tool.done        small#1/1 pay → "paid"
4   0s      node.done        small#1 "paid"  ⇒ large
5   0s      turn.started     large#1
6   0s      call.proposed    large#1/1 pay {"amount":100.5,"to":{"name":"Bob"}}
in       large
pending  large#1 rests on large#1/1, large#1/1? asks 'Pay 100.5 to Bob?' until 1d
spent    2 steps, 1 toolCalls

submit resume approved @large#1/1?
drive
ledger
----
7   0s      resume           large#1/1? approved
8   0s      turn.started     large#1 by driver 2
9   0s      tool.called      large#1/1 pay {"amount":100.5,"to":{"name":"Bob"}}
10  0s      tool.done        large#1/1 pay → "paid"
11  0s      node.done        large#1 "paid"  ⇒ paid
            ended    success: goal, result {}
ledger   pay 2
ended    success: goal
spent    2 steps, 2 toolCalls
