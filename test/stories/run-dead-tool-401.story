# A tool always answers 401, and a model repeats the same call endlessly. After at most four model calls and three executions of the tool,
# the run takes another route. The thread ends with a reason and its partial result.

graph:
  models: { fast: { id: any } }
  tools: { search: { use: flaky } }
  channels: { calls: { type: array, items: {}, default: [] }, notes: { type: string, default: found so far - nothing } }
  nodes:
    plan: { use: model, model: fast, out: [calls], on: { done.call: act, done: end } }
    act: { use: tools, in: [calls], on: { done: plan } }
    end: { final: success }
  output: [notes]
world:
  models: { fast: { does: ['wants search {"q":"x"}'] } }
  tools: { search: { does: [fails HTTP 401] } }

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
24  0s      tool.failed      act#3/1 search attempt 1: HTTP 401 [persistent, resource, by http-credentials]  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["search"] times=3 ← call-failed call=search times=3 ← error message="HTTP 401" class=persistent status=401
                     period 1, 3 times, since 7, seen at 24, in act plan, burned 4 steps, 3 toolCalls, 2 modelCalls, 240 tokens
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["search"] times=3 ← call-failed call=search times=3 ← error message="HTTP 401" class=persistent status=401, result {"notes":"found so far - nothing"}
ledger   fast 3, search 3
ended    stopped: loop because repeated-sequence calls=["search"] times=3 ← call-failed call=search times=3 ← error message="HTTP 401" class=persistent status=401
spent    6 steps, 3 toolCalls, 3 modelCalls, 360 tokens
lesson   repeated-sequence calls=["search"] times=3 ← call-failed call=search times=3 ← error message="HTTP 401" class=persistent status=401
