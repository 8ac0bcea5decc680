# A message interrupts a round whose write is in flight, and the write never answers. The next round asks a person about it before it starts
# anything.

graph:
  input: [ask]
  channels: { ask: {}, done: {} }
  output: [ask, done]
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    first: { use: tool, tool: pay, out: { done: . }, on: { done: end } }
    end: { final: success }
  rounds: { busy: interrupt }
world:
  input: { ask: one }
  tools:
    pay: { does: [after 60s answers lost, after 60s answers lost, answers paid] }

after 2s submit message {"ask":"two"}
drive
submit resume not-applied @first#1/1?r2
after 3s submit message {"ask":"three"}
drive
submit resume stop @first#2/1?r3
drive
submit message {"ask":"four"}
drive
submit resume applied @first#2/1?r4
drive
ledger
----
0   0s      thread.started   {"ask":"one"}
1   0s      turn.started     first#1
2   0s      tool.called      first#1/1 pay {}
3   2s      message          {"ask":"two"}  ⇒ cancelled
            ended    cancelled: interrupted, result {"ask":"one","done":null}
4   2s      call.late        first#1/1 pay failed: "node-left"
            ignored
5   2s      round.started
6   2s      resume           first#1/1?r2 not-applied
7   2s      turn.started     first#2 by driver 2
8   2s      tool.called      first#2/1 pay {}
9   5s      message          {"ask":"three"}  ⇒ cancelled
            ended    cancelled: interrupted, result {"ask":"two","done":null}
10  5s      call.late        first#2/1 pay failed: "node-left"
            ignored
11  5s      round.started
12  5s      resume           first#2/1?r3 stop  ⇒ stopped
            ended    stopped: review.stopped because review-stopped, result {"ask":"three","done":null}
13  5s      message          {"ask":"four"}
14  5s      resume           first#2/1?r4 applied
15  5s      turn.started     first#4 by driver 5
16  5s      tool.called      first#4/1 pay {}
17  5s      tool.done        first#4/1 pay → "paid"
18  5s      node.done        first#4 "paid"  ⇒ end
            ended    success: goal, result {"ask":"four","done":"paid"}
ledger   pay 3
round    4
ended    success: goal
spent    3 steps, 3 toolCalls, 5s
