# A person answers a review with restricted mode, and names the node that continues. A node that writes fails with the outcome
# `error.business`. The end of the round ends the restriction, and the next round writes.

graph:
  tools: { search: { use: flaky }, send: { use: flaky, effects: write } }
  nodes:
    work: { use: ./work.ts#work, on: { done: ask } }
    ask: { use: human, question: Send it?, on: { human.approved: tell, human.rejected: end, human.expired: end } }
    tell: { use: tool, tool: send, on: { done: end, error.business: end } }
    end: { final: success }
  escape: { ladder: [review, stop], review: { deadline: 1h } }
world:
  nodes: { work: [call search, call search, call search, call send] }
  tools: { search: { does: [answers nothing] }, send: { does: [answers sent] } }

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
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

submit resume approved rung=restrict to=ask
drive
review restricted#1
----
8   0s      resume           review#1 restrict to ask  ⇒ ask
? restricted#1: ask-restricted
  because   loop (sequence): repeated-sequence calls=["search"] times=3
  seen      3 laps × period 1, events 3–7, in work; cost 3 tool calls
  laps      3, exactly the same
            3: search {} → "nothing"
            5: search {} → "nothing"
            7: search {} → "nothing"
  tried     review in work (event 7): repeated-sequence calls=["search"] times=3
  answers   --decision approved → ask
            --decision stop     → the end: stopped (review.stopped)
  else      it waits for an answer
  asked     at 0s
in       ask
pending  ask#1 asks 'Send it?' until 1h, restricted#1 asks 'ask-restricted'
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

submit resume approved @ask#1
drive
ledger
----
9   0s      resume           ask#1 approved  ⇒ tell
10  0s      turn.started     tell#1 by driver 3
11  0s      tool.failed      tell#1/1 send attempt 1: Restricted: restricted-call call=send [business, request, by restricted]
12  0s      node.failed      tell#1 Restricted: restricted-call call=send [business, request, by restricted]  ⇒ end
            ended    success: goal, result {}
ledger   search 3
ended    success: goal
spent    3 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
