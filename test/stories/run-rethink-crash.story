# The process dies in the call of the smarter model. The next process asks the smarter model again, once; then the fast model continues.

graph:
  models: { fast: { id: small, smarter: smart }, smart: { id: large } }
  tools: { search: { use: flaky }, index: { use: flaky } }
  channels: { calls: { type: array, items: {}, default: [] } }
  nodes:
    plan: { use: model, model: fast, out: [calls], on: { done.call: act, done: end } }
    act: { use: tools, in: [calls], on: { done: plan } }
    end: { final: success }
  detect: { sequence: { repeats: 2 } }
world:
  models:
    fast: { does: ['wants search {"q":"x"}', 'wants search {"q":"x"}', says done] }
    smart: { does: [dies, 'wants index {}'] }
  tools: { search: { does: [answers nothing] }, index: { does: [answers found] } }

drive
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
15  0s      tool.done        act#2/1 search → "nothing"  ⇒ plan
            found    loop (sequence): repeated-sequence calls=["search"] times=2
                     period 1, 2 times, since 7, seen at 15, in act plan, burned 2 steps, 2 toolCalls, 1 modelCalls, 120 tokens
            escape   rethink act → plan
16  0s      turn.started     plan#3
17  0s      model.called     plan#3/1 smart
thrown   Error: the process is gone
in       plan
pending  plan#3 thinking again
spent    5 steps, 2 toolCalls, 3 modelCalls, 240 tokens
lesson   repeated-sequence calls=["search"] times=2

drive as other
ledger
----
18  0s      turn.started     plan#3 by driver 2
19  0s      call.late        plan#3/1 smart failed: null
20  0s      model.called     plan#3/1 smart
21  0s      model.done       plan#3/1 smart → wants index {}
22  0s      node.done        plan#3 {"calls":[{"id":"wanted-0","tool":"index","args":{}}],"text":""} as call  ⇒ act
23  0s      turn.started     act#3 by driver 2
24  0s      tool.called      act#3/1 index {}
25  0s      tool.done        act#3/1 index → "found"
26  0s      node.done        act#3 [true]  ⇒ plan
27  0s      turn.started     plan#4 by driver 2
28  0s      model.called     plan#4/1 fast
29  0s      model.done       plan#4/1 fast → done
30  0s      node.done        plan#4 {"calls":[],"text":"done"} as answer  ⇒ end
            ended    success: goal, result {"calls":[]}
ledger   fast 3, search 2, smart 2, index 1
ended    success: goal
spent    7 steps, 3 toolCalls, 5 modelCalls, 481 tokens
lesson   repeated-sequence calls=["search"] times=2
