# The same dead tool with an alternative in the spec: it is taken after three executions, the lesson is kept, and the thread reaches the
# goal.

graph:
  models: { fast: { id: any } }
  tools: { search: { use: flaky }, index: { use: flaky } }
  channels: { calls: { type: array, items: {}, default: [] } }
  nodes:
    plan: { use: model, model: fast, out: [calls], on: { done.call: act, done: end } }
    act: { use: tools, in: [calls], on: { done: plan } }
    lookup: { use: tool, tool: index, on: { done: end } }
    end: { final: success }
  escape: { alternatives: { plan: [lookup], act: [lookup] } }
world:
  models: { fast: { does: ['wants search {"q":"x"}'] } }
  tools: { search: { does: [fails HTTP 401] }, index: { does: [answers found] } }

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
7   0s      tool.failed      act#1/1 search attempt 1: HTTP 401 [persistent, resource, by http-credentials]
8   0s      node.done        act#1 [false]  ⇒ plan
9   0s      turn.started     plan#2
10  0s      model.called     plan#2/1 fast
11  0s      model.done       plan#2/1 fast → wants search {"q":"x"}
12  0s      node.done        plan#2 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
13  0s      turn.started     act#2
14  0s      tool.called      act#2/1 search {"q":"x"}
15  0s      tool.failed      act#2/1 search attempt 1: HTTP 401 [persistent, resource, by http-credentials]
16  0s      node.done        act#2 [false]  ⇒ plan
17  0s      turn.started     plan#3
18  0s      model.called     plan#3/1 fast
19  0s      model.done       plan#3/1 fast → wants search {"q":"x"}
20  0s      node.done        plan#3 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
21  0s      turn.started     act#3
22  0s      tool.called      act#3/1 search {"q":"x"}
23  0s      circuit.opened   act#3/1 search after 3 failures
24  0s      tool.failed      act#3/1 search attempt 1: HTTP 401 [persistent, resource, by http-credentials]  ⇒ lookup
            found    loop (sequence): repeated-sequence calls=["search"] times=3 ← call-failed call=search times=3 ← error message="HTTP 401" class=persistent status=401
                     period 1, 3 times, since 7, seen at 24, in act plan, burned 4 steps, 3 toolCalls, 2 modelCalls, 240 tokens
            escape   alternative act → lookup
25  0s      turn.started     lookup#1
26  0s      tool.called      lookup#1/1 index {}
27  0s      tool.done        lookup#1/1 index → "found"
28  0s      node.done        lookup#1 "found"  ⇒ end
            ended    success: goal, result {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}]}
ledger   fast 3, search 3, index 1
ended    success: goal
spent    7 steps, 4 toolCalls, 3 modelCalls, 360 tokens
lesson   repeated-sequence calls=["search"] times=3 ← call-failed call=search times=3 ← error message="HTTP 401" class=persistent status=401
