# The breaker opens with the first attempt of the second call, so the retry of that call is refused. The reason of the end counts all
# three failed attempts, and names their failure in place of the open breaker.

graph:
  models: { fast: { id: any } }
  tools: { search: { use: flaky } }
  channels: { calls: { type: array, items: {}, default: [] } }
  breaker: { threshold: 3, reset: 30s }
  retry: { attempts: 2 }
  nodes:
    plan: { use: model, model: fast, out: [calls], on: { done.call: act, done: end } }
    act: { use: tools, in: [calls], on: { done: plan } }
    end: { final: success }
world:
  models: { fast: { does: ['wants search {"q":"x"}'] } }
  tools: { search: { does: [fails HTTP 503] } }

drive
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
10  1.01s   tool.failed      act#1/1 search attempt 2: HTTP 503 [transient, resource, by http-transient]
11  1.01s   node.done        act#1 [false]  ⇒ plan
12  1.01s   turn.started     plan#2
13  1.01s   model.called     plan#2/1 fast
14  1.01s   model.done       plan#2/1 fast → wants search {"q":"x"}
15  1.01s   node.done        plan#2 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
16  1.01s   turn.started     act#2
17  1.01s   tool.called      act#2/1 search {"q":"x"}
18  1.01s   circuit.opened   act#2/1 search after 3 failures
19  1.01s   tool.failed      act#2/1 search attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
20  1.01s   call.waiting     act#2/1 search attempt 2 comes later
21  2.11s   circuit.refused  act#2/1 search CircuitOpen: circuit-open call=search seconds=29 [transient, resource, by circuit, retry after 28.91s]
22  2.11s   node.done        act#2 [false]  ⇒ plan
23  2.11s   turn.started     plan#3
24  2.11s   model.called     plan#3/1 fast
25  2.11s   model.done       plan#3/1 fast → wants search {"q":"x"}
26  2.11s   node.done        plan#3 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
27  2.11s   turn.started     act#3
28  2.11s   circuit.refused  act#3/1 search CircuitOpen: circuit-open call=search seconds=29 [transient, resource, by circuit, retry after 28.91s]  ⇒ stopped
            found    loop (repetition): repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=3 ← error message="HTTP 503" class=transient status=503
                     period 1, 3 times, since 10, seen at 10 21 28, in act plan, burned 4 steps, 2 toolCalls, 2 modelCalls, 240 tokens, 2.11s
            escape   stop (loop)
            ended    stopped: loop because repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=3 ← error message="HTTP 503" class=transient status=503, result {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}]}
ended    stopped: loop because repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=3 ← error message="HTTP 503" class=transient status=503
spent    6 steps, 3 toolCalls, 3 modelCalls, 360 tokens, 2.11s
lesson   repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=3 ← error message="HTTP 503" class=transient status=503
