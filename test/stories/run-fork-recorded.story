# A recorded fork reads the results of its parent, including retries, as long as it makes the same calls. Its policy makes it take another
# route. From the first different call, it reads for itself and writes nothing.

graph:
  tools: { search: { use: flaky }, ask: { use: flaky }, send: { use: flaky, effects: write } }
  nodes:
    look: { use: ./work.ts#work, on: { done: tell, loop: aside } }
    aside: { use: tool, tool: ask, on: { done: tell } }
    tell: { use: tool, tool: send, on: { done: end, error: failed } }
    failed: { final: failure }
    end: { final: success }
  detect: { sequence: { repeats: 4 }, repetition: false }
world:
  nodes: { look: [call search, call search, call search] }
  tools: { search: { does: [fails HTTP 503, answers nothing] }, ask: { does: [answers a friend] }, send: { does: [answers sent] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     look#1
2   0s      tool.called      look#1/1 search {}
3   0s      tool.failed      look#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
4   0s      call.waiting     look#1/1 search attempt 2 comes later
5   1.04s   tool.called      look#1/1 search {} attempt 2
6   1.04s   tool.done        look#1/1 search → "nothing"
7   1.04s   tool.called      look#1/2 search {}
8   1.04s   tool.done        look#1/2 search → "nothing"
9   1.04s   tool.called      look#1/3 search {}
10  1.04s   tool.done        look#1/3 search → "nothing"
11  1.04s   node.done        look#1 {}  ⇒ tell
12  1.04s   turn.started     tell#1
13  1.04s   tool.called      tell#1/1 send {}
14  1.04s   tool.done        tell#1/1 send → "sent"
15  1.04s   node.done        tell#1 "sent"  ⇒ end
            ended    success: goal, result {}
ledger   search 4, send 1
ended    success: goal
spent    2 steps, 5 toolCalls, 1.04s

fork at 0 as recorded {"detect":{"sequence":{"repeats":3}}}
drive
ledger
----
thread   story-recorded
1   1.04s   forked           from story after 0, effects recorded
2   1.04s   policy.changed   {"detect":{"sequence":{"repeats":3}}}
3   1.04s   turn.started     look#1 by driver 2
4   1.04s   tool.called      look#1/1 search {} (recorded)
5   1.04s   tool.failed      look#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good (recorded)
6   1.04s   call.waiting     look#1/1 search attempt 2 comes later (recorded)
7   1.04s   tool.called      look#1/1 search {} attempt 2 (recorded)
8   1.04s   tool.done        look#1/1 search → "nothing" (recorded)
9   1.04s   tool.called      look#1/2 search {} (recorded)
10  1.04s   tool.done        look#1/2 search → "nothing" (recorded)
11  1.04s   tool.called      look#1/3 search {} (recorded)
12  1.04s   tool.done        look#1/3 search → "nothing" (recorded)  ⇒ aside
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 8, seen at 12, in look, burned 3 toolCalls
            escape   alternative look → aside
13  1.04s   turn.started     aside#1 by driver 2
14  1.04s   tool.called      aside#1/1 ask {}
15  1.04s   tool.done        aside#1/1 ask → "a friend"
16  1.04s   node.done        aside#1 "a friend"  ⇒ tell
17  1.04s   turn.started     tell#1 by driver 2
18  1.04s   tool.failed      tell#1/1 send attempt 1: WriteRefused: write-in-fork call=send [persistent, request, by fork]
19  1.04s   node.failed      tell#1 WriteRefused: write-in-fork call=send [persistent, request, by fork]  ⇒ failed
            ended    failure: failure, result {}
ledger   search 4, send 1, ask 1
ended    failure: failure
spent    3 steps, 5 toolCalls
lesson   repeated-sequence calls=["search"] times=3
