# A second rethink would not help. The smarter model repeats the same loop, so the ladder climbs on.

graph:
  models: { fast: { id: small, smarter: smart }, smart: { id: large } }
  tools: { search: { use: flaky } }
  channels: { calls: { type: array, items: {}, default: [] } }
  nodes:
    plan: { use: model, model: fast, out: [calls], on: { done.call: act, done: end } }
    act: { use: tools, in: [calls], on: { done: plan } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
  escape: { alternatives: { act: [other] } }
world:
  models:
    fast: { does: ['wants search {"q":"x"}'] }
    smart: { does: ['wants search {"q":"x"}'] }
  tools: { search: { does: [answers nothing] } }

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
26  0s      model.done       plan#4/1 smart → wants search {"q":"x"}
27  0s      node.done        plan#4 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
28  0s      turn.started     act#4
29  0s      tool.called      act#4/1 search {"q":"x"}
30  0s      tool.done        act#4/1 search → "nothing"
31  0s      node.done        act#4 [true]  ⇒ plan
32  0s      turn.started     plan#5
33  0s      model.called     plan#5/1 fast
34  0s      model.done       plan#5/1 fast → wants search {"q":"x"}
35  0s      node.done        plan#5 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
36  0s      turn.started     act#5
37  0s      tool.called      act#5/1 search {"q":"x"}
38  0s      tool.done        act#5/1 search → "nothing"
39  0s      node.done        act#5 [true]  ⇒ plan
40  0s      turn.started     plan#6
41  0s      model.called     plan#6/1 fast
42  0s      model.done       plan#6/1 fast → wants search {"q":"x"}
43  0s      node.done        plan#6 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
44  0s      turn.started     act#6
45  0s      tool.called      act#6/1 search {"q":"x"}
46  0s      tool.done        act#6/1 search → "nothing"  ⇒ other
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 30, seen at 46, in act plan, burned 4 steps, 3 toolCalls, 2 modelCalls, 240 tokens
            escape   alternative act → other
47  0s      turn.started     other#1
48  0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}]}
ledger   fast 5, search 6, smart 1
ended    success: goal
spent    13 steps, 6 toolCalls, 6 modelCalls, 720 tokens
lesson   repeated-sequence calls=["search"] times=3

