# A fork that refuses effects begins with the journal and the spending of its parent. It reads, and each write is refused without running.
# The agent receives that as a failure of the call.

graph:
  channels: { found: {}, receipt: {} }
  output: [found, receipt]
  tools: { search: { use: flaky }, send: { use: flaky, effects: write } }
  nodes:
    look: { use: tool, tool: search, out: { found: . }, on: { done: tell } }
    tell: { use: tool, tool: send, out: { receipt: . }, on: { done: end, error: look_again } }
    look_again: { use: tool, tool: search, out: { found: . }, on: { done: failed } }
    failed: { final: failure }
    end: { final: success }
world:
  tools: { search: { does: [answers one, answers two] }, send: { does: [answers sent] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     look#1
2   0s      tool.called      look#1/1 search {}
3   0s      tool.done        look#1/1 search → "one"
4   0s      node.done        look#1 "one"  ⇒ tell
5   0s      turn.started     tell#1
6   0s      tool.called      tell#1/1 send {}
7   0s      tool.done        tell#1/1 send → "sent"
8   0s      node.done        tell#1 "sent"  ⇒ end
            ended    success: goal, result {"found":"one","receipt":"sent"}
ended    success: goal
spent    2 steps, 2 toolCalls

fork at 4 as refuse
----
thread   story-refuse
5   0s      forked           from story after 4, effects refuse
in       tell
pending  tell#1
spent    1 steps, 1 toolCalls

drive
ledger
----
thread   story-refuse
6   0s      turn.started     tell#1 by driver 2
7   0s      tool.failed      tell#1/1 send attempt 1: WriteRefused: write-in-fork call=send [persistent, request, by fork]
8   0s      node.failed      tell#1 WriteRefused: write-in-fork call=send [persistent, request, by fork]  ⇒ look_again
9   0s      turn.started     look_again#1 by driver 2
10  0s      tool.called      look_again#1/1 search {}
11  0s      tool.done        look_again#1/1 search → "two"
12  0s      node.done        look_again#1 "two"  ⇒ failed
            ended    failure: failure, result {"found":"two","receipt":null}
ledger   search 2, send 1
ended    failure: failure
spent    3 steps, 2 toolCalls
