# Each notifier runs once per question and step of its chain, if it serves the recipient. A failed one is retried, and the results are
# journalled. The run does not wait for notifiers.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h, to: team, escalate: [{ to: oncall, after: 15m }] } }
world:
  nodes: { work: [call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }
  notify:
    log: { does: [answers written] }
    pager: { to: [oncall], does: [fails HTTP 503, fails HTTP 503, answers taken] }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "nothing"
4   0s      tool.called      work#1/2 search {}
5   0s      tool.done        work#1/2 search → "nothing"
6   0s      tool.called      work#1/3 search {}
7   0s      tool.done        work#1/3 search → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
            escape   review in work
8   0s      notified         review#1 by log: delivered after 1 attempts (question.opened 0: written)
in       review
pending  review#1 asks team 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

later 15m
drive
drive
ledger
----
9   15m     tick             review#1
10  15m     notified         review#1 by log, step 1: delivered after 1 attempts (question.escalated 1: written)
11  15m3.06s notified         review#1 by pager, step 1: delivered after 3 attempts (question.escalated 1: taken)
ledger   search 3, log 2, pager 3
in       review
pending  review#1 asks oncall 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
