# Calls that require confirmation: a recorded fork reads their results without a question, and so does a fork that refuses them. A fork
# that makes them asks again.

graph:
  tools: { pay: { use: flaky, effects: write, confirm: always } }
  nodes:
    work: { use: tool, tool: pay, on: { done: end, error: failed } }
    failed: { final: failure }
    end: { final: success }
world:
  tools: { pay: { does: [answers paid] } }

drive
submit resume approved @work#1/1?
drive
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
ended    success: goal
spent    1 steps, 1 toolCalls

fork at 0 as recorded
drive
ledger
----
thread   story-recorded
1   0s      forked           from story after 0, effects recorded
2   0s      turn.started     work#1 by driver 2
3   0s      tool.called      work#1/1 pay {} (recorded)
4   0s      tool.done        work#1/1 pay → "paid" (recorded)
5   0s      node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 1
ended    success: goal
spent    1 steps, 1 toolCalls

fork at 0 as refuse
drive
----
thread   story-recorded-refuse
1   0s      forked           from story-recorded after 0, effects refuse
2   0s      turn.started     work#1 by driver 2
3   0s      tool.failed      work#1/1 pay attempt 1: WriteRefused: write-in-fork call=pay [persistent, request, by fork]
4   0s      node.failed      work#1 WriteRefused: write-in-fork call=pay [persistent, request, by fork]  ⇒ failed
            ended    failure: failure, result {}
ended    failure: failure
spent    1 steps

fork at 0 as live
drive
ledger
----
thread   story-recorded-refuse-live
1   0s      forked           from story-recorded-refuse after 0, effects live
2   0s      turn.started     work#1 by driver 2
3   0s      call.proposed    work#1/1 pay {}
ledger   pay 1
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-approval call=pay arguments="{}"' until 1d
spent    1 steps
