# A request for confirmation lists the effect of each answer, escalates like any question, and notifies its recipient.

graph:
  tools: { pay: { use: flaky, effects: write, confirm: always } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: end, error: end } }
    end: { final: success }
  escape: { review: { deadline: 1h, to: team, escalate: [{ to: lead, after: 10m }] } }
world:
  tools: { pay: { does: [answers paid] } }
  notify: { mail: { to: [lead], does: [answers sent] } }

drive
review work#1/1?
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      call.proposed    work#1/1 pay {"amount":5}
? work#1/1? asks team: ask-approval call=pay arguments="{\"amount\":5}"
  call      pay (work#1/1)
  answers   --decision approved → work; pay is made
            --decision rejected → work; pay fails
            --decision edited   → work; pay is made
            --decision stop     → the end: stopped (review.stopped)
  else      at 1h → work
  asked     at 0s
            moves on to lead at 10m
in       work
pending  work#1 rests on work#1/1, work#1/1? asks team 'ask-approval call=pay arguments="{\"amount\":5}"' until 1h
spent    1 steps

later 10m
drive
submit resume edited @work#1/1? {"amount":4}
drive
----
3   10m     tick             work#1/1?
4   10m     notified         work#1/1? by mail, step 1: delivered after 1 attempts (question.escalated 1: sent)
5   10m     resume           work#1/1? edited {"amount":4}
6   10m     turn.started     work#1 by driver 3
7   10m     tool.called      work#1/1 pay {"amount":4}
8   10m     tool.done        work#1/1 pay → "paid"
9   10m     node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 1 toolCalls
