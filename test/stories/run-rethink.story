# The model repeats itself. The last lap is dropped, the smarter model gets exactly one call, then the fast model continues.

graph:
  models: { fast: { id: small, smarter: smart }, smart: { id: large } }
  tools: { search: { use: flaky }, index: { use: flaky } }
  channels: { calls: { type: array, items: {}, default: [] } }
  nodes:
    plan: { use: model, model: fast, out: [calls], on: { done.call: act, done: end } }
    act: { use: tools, in: [calls], on: { done: plan } }
    end: { final: success }
world:
  models:
    fast: { does: ['wants search {"q":"x"}', 'wants search {"q":"x"}', 'wants search {"q":"x"}', says done] }
    smart: { does: ['wants index {}'] }
  tools: { search: { does: [answers nothing] }, index: { does: [answers found] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      model.called     plan#1/1 fast
3   0s      model.done       plan#1/1 fast → wants search {"q":"x"}
4   0s      node.done        plan#1 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
5   0s      turn.started     act#1
6   0s      tool.called      act#1/1 search {"q":"x"}
7   0s      tool.done        act#1/1 search → "nothing"
8   0s      node.done        act#1 [true]  ⇒ plan
9   0s      turn.started     plan#2
10  0s      model.called     plan#2/1 fast
11  0s      model.done       plan#2/1 fast → wants search {"q":"x"}
12  0s      node.done        plan#2 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
13  0s      turn.started     act#2
14  0s      tool.called      act#2/1 search {"q":"x"}
15  0s      tool.done        act#2/1 search → "nothing"
16  0s      node.done        act#2 [true]  ⇒ plan
17  0s      turn.started     plan#3
18  0s      model.called     plan#3/1 fast
19  0s      model.done       plan#3/1 fast → wants search {"q":"x"}
20  0s      node.done        plan#3 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
21  0s      turn.started     act#3
22  0s      tool.called      act#3/1 search {"q":"x"}
23  0s      tool.done        act#3/1 search → "nothing"  ⇒ plan
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 7, seen at 23, in act plan, burned 4 steps, 3 toolCalls, 2 modelCalls, 240 tokens
            escape   rethink act → plan
24  0s      turn.started     plan#4
25  0s      model.called     plan#4/1 smart
26  0s      model.done       plan#4/1 smart → wants index {}
27  0s      node.done        plan#4 {"calls":[{"id":"wanted-0","tool":"index","args":{}}],"text":""} as call  ⇒ act
28  0s      turn.started     act#4
29  0s      tool.called      act#4/1 index {}
30  0s      tool.done        act#4/1 index → "found"
31  0s      node.done        act#4 [true]  ⇒ plan
32  0s      turn.started     plan#5
33  0s      model.called     plan#5/1 fast
34  0s      model.done       plan#5/1 fast → done
35  0s      node.done        plan#5 {"calls":[],"text":"done"} as answer  ⇒ end
            ended    success: goal, result {"calls":[]}
ledger   fast 4, search 3, smart 1, index 1
ended    success: goal
spent    9 steps, 4 toolCalls, 5 modelCalls, 600 tokens
lesson   repeated-sequence calls=["search"] times=3

