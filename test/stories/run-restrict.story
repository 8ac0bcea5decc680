# The rung `restrict` continues where the loop was found. A question tells a person, reads go on, and a write is refused with the reason. After the
# answer, the thread writes.

graph:
  tools: { search: { use: flaky }, send: { use: flaky, effects: write } }
  nodes:
    work: { use: ./work.ts#work, on: { done: ask } }
    ask: { use: human, question: Send it?, on: { human.approved: tell, human.rejected: end, human.expired: end } }
    tell: { use: tool, tool: send, on: { done: end } }
    end: { final: success }
  escape: { ladder: [restrict, stop], review: { deadline: 1h, to: team } }
world:
  nodes: { work: [call search, call search, call search, call send, call search] }
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
7   0s      tool.done        work#1/3 search → "nothing"
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
            escape   restrict work → (as its machine says)
8   0s      tool.failed      work#1/4 send attempt 1: Restricted: restricted-call call=send [business, request, by restricted]
9   0s      tool.called      work#1/5 search {}
10  0s      tool.done        work#1/5 search → "nothing"
11  0s      node.done        work#1 {}  ⇒ ask
in       ask
pending  restricted#1 asks team 'ask-restricted', ask#1 asks team 'Send it?' until 1h
spent    1 steps, 4 toolCalls
lesson   repeated-sequence calls=["search"] times=3

submit resume approved @restricted#1
drive
----
12  0s      resume           restricted#1 approved
in       ask
pending  ask#1 asks team 'Send it?' until 1h
spent    1 steps, 4 toolCalls
lesson   repeated-sequence calls=["search"] times=3

submit resume approved @ask#1
drive
ledger
----
13  0s      resume           ask#1 approved  ⇒ tell
14  0s      turn.started     tell#1 by driver 3
15  0s      tool.called      tell#1/1 send {}
16  0s      tool.done        tell#1/1 send → "sent"
17  0s      node.done        tell#1 "sent"  ⇒ end
            ended    success: goal, result {}
ledger   search 4, send 1
ended    success: goal
spent    3 steps, 5 toolCalls
lesson   repeated-sequence calls=["search"] times=3
