# One region rethinks once with the smarter model. The other is in a call and is not affected.

graph:
  models: { fast: { id: small, smarter: smart }, smart: { id: large } }
  tools: { search: { use: flaky }, read: { use: flaky } }
  nodes:
    both:
      regions:
        left:
          start: plan
          nodes:
            plan: { use: model, model: fast, on: { done.call: act, done: seen } }
            act: { use: tool, tool: search, on: { done: plan } }
            seen: { final: success }
        right: { start: page, nodes: { page: { use: tool, tool: read, on: { done: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
  escape: { ladder: [rethink, stop] }
world:
  models: { fast: { does: ['wants search {"q":"x"}', 'wants search {"q":"x"}', 'wants search {"q":"x"}', 'says done'] }, smart: { does: ['wants search {"q":"y"}'] } }
  tools: { search: { does: [answers nothing, answers nothing, answers nothing, answers found] }, read: { does: [after 5s answers page] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      turn.started     page#1
3   0s      model.called     plan#1/1 fast
4   0s      tool.called      page#1/1 read {}
5   0s      model.done       plan#1/1 fast → wants search {"q":"x"}
6   0s      node.done        plan#1 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
7   0s      turn.started     act#1
8   0s      tool.called      act#1/1 search {}
9   0s      tool.done        act#1/1 search → "nothing"
10  0s      node.done        act#1 "nothing"  ⇒ plan
11  0s      turn.started     plan#2
12  0s      model.called     plan#2/1 fast
13  0s      model.done       plan#2/1 fast → wants search {"q":"x"}
14  0s      node.done        plan#2 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
15  0s      turn.started     act#2
16  0s      tool.called      act#2/1 search {}
17  0s      tool.done        act#2/1 search → "nothing"
18  0s      node.done        act#2 "nothing"  ⇒ plan
19  0s      turn.started     plan#3
20  0s      model.called     plan#3/1 fast
21  0s      model.done       plan#3/1 fast → wants search {"q":"x"}
22  0s      node.done        plan#3 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
23  0s      turn.started     act#3
24  0s      tool.called      act#3/1 search {}
25  0s      tool.done        act#3/1 search → "nothing"  ⇒ plan
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 9, seen at 25, in act plan, burned 4 steps, 3 toolCalls, 2 modelCalls, 240 tokens
            escape   rethink of left act → plan
26  0s      turn.started     plan#4
27  0s      model.called     plan#4/1 smart
28  0s      model.done       plan#4/1 smart → wants search {"q":"y"}
29  0s      node.done        plan#4 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"y"}}],"text":""} as call  ⇒ act
30  0s      turn.started     act#4
31  0s      tool.called      act#4/1 search {}
32  0s      tool.done        act#4/1 search → "found"
33  0s      node.done        act#4 "found"  ⇒ plan
34  0s      turn.started     plan#5
35  0s      model.called     plan#5/1 fast
36  0s      model.done       plan#5/1 fast → done
37  0s      node.done        plan#5 {"calls":[],"text":"done"} as answer  ⇒ seen
38  5s      tool.done        page#1/1 read → "page"
39  5s      node.done        page#1 "page"  ⇒ over, end
            ended    success: goal, result {}
ledger   fast 4, read 1, search 4, smart 1
ended    success: goal
spent    10 steps, 5 toolCalls, 5 modelCalls, 600 tokens, 5s
lesson   repeated-sequence calls=["search"] times=3

