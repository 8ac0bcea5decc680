# The last of the attempts is a failure. Without an edge for it, the ladder decides: here it stops. The next round counts from the start.

graph:
  channels: { price: { default: null }, ask: { default: 1 } }
  input: [ask]
  nodes:
    offer: { use: tool, tool: quote, out: price, on: { done: check } }
    check: { use: verify, rubric: { priced: price > 0 }, attempts: 2, in: [price], on: { done: end, done.rejected: offer } }
    end: { final: success }
  tools: { quote: { use: flaky } }
world:
  input: { ask: 1 }
  tools: { quote: { does: [answers 0, answers 0, answers 0, answers 7] } }

drive
----
0   0s      thread.started   {"ask":1}
1   0s      turn.started     offer#1
2   0s      tool.called      offer#1/1 quote {}
3   0s      tool.done        offer#1/1 quote → 0
4   0s      node.done        offer#1 0  ⇒ check
5   0s      turn.started     check#1
6   0s      node.done        check#1 {"passed":false,"reasons":["priced: `price > 0` does not hold"],"messages":[{"role":"user","content":"The result was checked and not accepted:\n- priced: `price > 0` does not hold\nCorrect it."}]} as rejected  ⇒ offer
7   0s      turn.started     offer#2
8   0s      tool.called      offer#2/1 quote {}
9   0s      tool.done        offer#2/1 quote → 0
10  0s      node.done        offer#2 0  ⇒ check
11  0s      turn.started     check#2
12  0s      node.failed      check#2 NotVerified: not-verified node=check attempts=2 why="priced: `price > 0` does not hold" [business, request, by verify]  ⇒ stopped
            found    failure (business): node-failed node=check ← not-verified node=check attempts=2 why="priced: `price > 0` does not hold"
                     period 1, 1 times, since 12, seen at 12, in check, burned 1 steps
            escape   stop (failure.business)
            ended    stopped: failure.business because node-failed node=check ← not-verified node=check attempts=2 why="priced: `price > 0` does not hold", result {"price":0,"ask":1}
ended    stopped: failure.business because node-failed node=check ← not-verified node=check attempts=2 why="priced: `price > 0` does not hold"
spent    4 steps, 2 toolCalls
lesson   node-failed node=check ← not-verified node=check attempts=2 why="priced: `price > 0` does not hold"

submit message {"ask":2}
drive
----
13  0s      message          {"ask":2}
14  0s      turn.started     offer#3 by driver 2
15  0s      tool.called      offer#3/1 quote {}
16  0s      tool.done        offer#3/1 quote → 0
17  0s      node.done        offer#3 0  ⇒ check
18  0s      turn.started     check#3 by driver 2
19  0s      node.done        check#3 {"passed":false,"reasons":["priced: `price > 0` does not hold"],"messages":[{"role":"user","content":"The result was checked and not accepted:\n- priced: `price > 0` does not hold\nCorrect it."}]} as rejected  ⇒ offer
20  0s      turn.started     offer#4 by driver 2
21  0s      tool.called      offer#4/1 quote {}
22  0s      tool.done        offer#4/1 quote → 7
23  0s      node.done        offer#4 7  ⇒ check
24  0s      turn.started     check#4 by driver 2
25  0s      node.done        check#4 {"passed":true,"reasons":[],"messages":[]}  ⇒ end
            ended    success: goal, result {"price":7,"ask":2}
round    2
ended    success: goal
spent    8 steps, 4 toolCalls
lesson   node-failed node=check ← not-verified node=check attempts=2 why="priced: `price > 0` does not hold"

