# A verify node sends a result back until its rubric holds. Each rejection holds the reasons, as a message for the model.

graph:
  channels: { price: { default: null }, messages: { reducer: append, type: object } }
  output: [price, messages]
  nodes:
    offer: { use: tool, tool: quote, out: price, on: { done: check } }
    check:
      use: verify
      rubric: { priced: price > 0, affordable: price < 100 }
      in: [price]
      out: { messages: messages }
      on: { done: end, done.rejected: offer }
    end: { final: success }
  tools: { quote: { use: flaky } }
world:
  tools: { quote: { does: [answers 0, answers 40] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     offer#1
2   0s      tool.called      offer#1/1 quote {}
3   0s      tool.done        offer#1/1 quote → 0
4   0s      node.done        offer#1 0  ⇒ check
5   0s      turn.started     check#1
6   0s      node.done        check#1 {"passed":false,"reasons":["priced: `price > 0` does not hold"],"messages":[{"role":"user","content":"The result was checked and not accepted:\n- priced: `price > 0` does not hold\nCorrect it."}]} as rejected  ⇒ offer
7   0s      turn.started     offer#2
8   0s      tool.called      offer#2/1 quote {}
9   0s      tool.done        offer#2/1 quote → 40
10  0s      node.done        offer#2 40  ⇒ check
11  0s      turn.started     check#2
12  0s      node.done        check#2 {"passed":true,"reasons":[],"messages":[]}  ⇒ end
            ended    success: goal, result {"price":40,"messages":[{"role":"user","content":"The result was checked and not accepted:\n- priced: `price > 0` does not hold\nCorrect it."}]}
ended    success: goal
spent    4 steps, 2 toolCalls

