# A tool is down (503), and a model repeats the same call endlessly. After at most four model calls and three executions of the tool, the
# run takes another route. The thread ends with a reason and its partial result.

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
  tools: { search: { does: [fails HTTP 503] } }

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
7   0s      tool.failed      act#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
8   0s      call.waiting     act#1/1 search attempt 2 comes later
9   1.01s   tool.called      act#1/1 search {"q":"x"} attempt 2
10  1.01s   tool.failed      act#1/1 search attempt 2: HTTP 503 [transient, resource, by http-transient], not for good
11  1.01s   call.waiting     act#1/1 search attempt 3 comes later
12  3.04s   tool.called      act#1/1 search {"q":"x"} attempt 3
13  3.04s   circuit.opened   act#1/1 search after 3 failures
14  3.04s   tool.failed      act#1/1 search attempt 3: HTTP 503 [transient, resource, by http-transient]
15  3.04s   node.done        act#1 [false]  ⇒ plan
16  3.04s   turn.started     plan#2
17  3.04s   model.called     plan#2/1 fast
18  3.04s   model.done       plan#2/1 fast → wants search {"q":"x"}
19  3.04s   node.done        plan#2 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
20  3.04s   turn.started     act#2
21  3.04s   circuit.refused  act#2/1 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]
22  3.04s   node.done        act#2 [false]  ⇒ plan
23  3.04s   turn.started     plan#3
24  3.04s   model.called     plan#3/1 fast
25  3.04s   model.done       plan#3/1 fast → wants search {"q":"x"}
26  3.04s   node.done        plan#3 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
27  3.04s   turn.started     act#3
28  3.04s   circuit.refused  act#3/1 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]  ⇒ stopped
            found    loop (repetition): repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=3 ← error message="HTTP 503" class=transient status=503
                     period 1, 3 times, since 14, seen at 14 21 28, in act plan, burned 4 steps, 1 toolCalls, 2 modelCalls, 240 tokens, 2.03s
            escape   stop (loop)
            ended    stopped: loop because repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=3 ← error message="HTTP 503" class=transient status=503, result {"notes":"found so far - nothing"}
ledger   fast 3, search 3
ended    stopped: loop because repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=3 ← error message="HTTP 503" class=transient status=503
spent    6 steps, 3 toolCalls, 3 modelCalls, 360 tokens, 3.04s
lesson   repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=3 ← error message="HTTP 503" class=transient status=503
