# A person has allowed a call of the parent. The permission does not extend to a fork: the call has another thread, and a person decides again.

graph:
  tools: { pay: { use: flaky, effects: write } }
  confirm: { pay: always }
  nodes:
    work: { use: tool, tool: pay, on: { done: end, error: end } }
    end: { final: success }
world:
  tools: { pay: { does: [answers paid] } }

drive
submit resume approved @work#1/1?
drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      call.proposed    work#1/1 pay {}
3   0s      resume           work#1/1? approved
4   0s      turn.started     work#1 by driver 2
5   0s      tool.called      work#1/1 pay {}
6   0s      tool.done        work#1/1 pay → "paid"
7   0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 1
ended    success: goal
spent    1 steps, 1 toolCalls

fork at 3 as live
drive
ledger
----
thread   story-live
4   0s      forked           from story after 3, effects live
5   0s      turn.started     work#1 by driver 2
6   0s      call.proposed    work#1/1 pay {}
ledger   pay 1
in       work
pending  work#1 rests on work#1/1, work#1/1?2 asks 'ask-approval call=pay arguments="{}"' until 1d
spent    1 steps
