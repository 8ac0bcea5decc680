# A model calls an unknown tool. The model receives the error, and the thread continues.

graph:
  models: { fast: { id: any } }
  tools: { search: { use: flaky } }
  channels: { calls: { type: array, items: {}, default: [] } }
  nodes:
    plan: { use: model, model: fast, out: [calls], on: { done.call: act, done: end } }
    act: { use: tools, in: [calls], on: { done: plan } }
    end: { final: success }
world:
  models: { fast: { does: ['wants serach {"q":"x"}', 'wants search {"q":"x"}', says found it] } }
  tools: { search: { does: [answers found] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      model.called     plan#1/1 fast
3   0s      model.done       plan#1/1 fast → wants serach {"q":"x"}
4   0s      node.done        plan#1 {"calls":[{"id":"wanted-0","tool":"serach","args":{"q":"x"}}],"text":""} as call  ⇒ act
5   0s      turn.started     act#1
6   0s      tool.failed      act#1/1 serach attempt 1: InvalidArguments: unknown-name kind=tool name=serach known=["search"] [persistent, request, by arguments]
7   0s      node.done        act#1 [false]  ⇒ plan
8   0s      turn.started     plan#2
9   0s      model.called     plan#2/1 fast
10  0s      model.done       plan#2/1 fast → wants search {"q":"x"}
11  0s      node.done        plan#2 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
12  0s      turn.started     act#2
13  0s      tool.called      act#2/1 search {"q":"x"}
14  0s      tool.done        act#2/1 search → "found"
15  0s      node.done        act#2 [true]  ⇒ plan
16  0s      turn.started     plan#3
17  0s      model.called     plan#3/1 fast
18  0s      model.done       plan#3/1 fast → found it
19  0s      node.done        plan#3 {"calls":[],"text":"found it"} as answer  ⇒ end
            ended    success: goal, result {"calls":[]}
ended    success: goal
spent    5 steps, 1 toolCalls, 3 modelCalls, 360 tokens
