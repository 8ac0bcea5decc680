# A node needs a tool call from its model. One answer without a tool call may happen; the second in a row shows that the model has no next
# move.

graph:
  models: { fast: { id: any } }
  nodes:
    act: { use: model, model: fast, command: required, on: { done: end, noToolCall: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }

start
ask fast -> says let me think about it
ask fast -> wants search {"q":"x"}
ask fast -> says let me think about it
----
in       act
pending  act#1
spent    1 steps, 3 modelCalls

ask fast -> says I am still thinking
----
9   found    noToolCall (noToolCall): no-tool-call model=fast times=2
             period 1, 2 times, since 7, seen at 7 9, in act, burned 2 modelCalls
    escape   alternative act → other
in       other
pending  other#1
spent    1 steps, 4 modelCalls
lesson   no-tool-call model=fast times=2
