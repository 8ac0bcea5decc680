# A thread starts while the breaker is open, and its model repeats the refused call. The reason of the end names the breaker, not only
# the repeated text.

graph:
  models: { fast: { id: any } }
  tools: { search: { use: flaky } }
  channels: { calls: { type: array, items: {}, default: [] } }
  breaker: { threshold: 1, reset: 30s }
  retry: { attempts: 1 }
  nodes:
    plan: { use: model, model: fast, out: [calls], on: { done.call: act, done: end } }
    act: { use: tools, in: [calls], on: { done: plan } }
    end: { final: success }
world:
  models: { fast: { does: ['wants search {"q":"x"}'] } }
  tools: { search: { does: [fails HTTP 503] } }

drive
thread second
drive
----
thread   story
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      model.called     plan#1/1 fast
3   0s      model.done       plan#1/1 fast → wants search {"q":"x"}
4   0s      node.done        plan#1 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
5   0s      turn.started     act#1
6   0s      tool.called      act#1/1 search {"q":"x"}
7   0s      circuit.opened   act#1/1 search after 1 failures
8   0s      tool.failed      act#1/1 search attempt 1: HTTP 503 [transient, resource, by http-transient]
9   0s      node.done        act#1 [false]  ⇒ plan
10  0s      turn.started     plan#2
11  0s      model.called     plan#2/1 fast
12  0s      model.done       plan#2/1 fast → wants search {"q":"x"}
13  0s      node.done        plan#2 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
14  0s      turn.started     act#2
15  0s      circuit.refused  act#2/1 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]
16  0s      node.done        act#2 [false]  ⇒ plan
17  0s      turn.started     plan#3
18  0s      model.called     plan#3/1 fast
19  0s      model.done       plan#3/1 fast → wants search {"q":"x"}
20  0s      node.done        plan#3 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
21  0s      turn.started     act#3
22  0s      circuit.refused  act#3/1 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]  ⇒ stopped
            found    loop (repetition): repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=1 ← error message="HTTP 503" class=transient status=503
                     period 1, 3 times, since 8, seen at 8 15 22, in act plan, burned 4 steps, 1 toolCalls, 2 modelCalls, 240 tokens
            escape   stop (loop)
            ended    stopped: loop because repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=1 ← error message="HTTP 503" class=transient status=503, result {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}]}
ended    stopped: loop because repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=1 ← error message="HTTP 503" class=transient status=503
spent    6 steps, 1 toolCalls, 3 modelCalls, 360 tokens
lesson   repeated-call call=search times=3 arguments=same result=nothing-new ← call-failed call=search times=1 ← error message="HTTP 503" class=transient status=503
thread   second
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      model.called     plan#1/1 fast
3   0s      model.done       plan#1/1 fast → wants search {"q":"x"}
4   0s      node.done        plan#1 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
5   0s      turn.started     act#1
6   0s      circuit.refused  act#1/1 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]
7   0s      node.done        act#1 [false]  ⇒ plan
8   0s      turn.started     plan#2
9   0s      model.called     plan#2/1 fast
10  0s      model.done       plan#2/1 fast → wants search {"q":"x"}
11  0s      node.done        plan#2 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
12  0s      turn.started     act#2
13  0s      circuit.refused  act#2/1 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]
14  0s      node.done        act#2 [false]  ⇒ plan
15  0s      turn.started     plan#3
16  0s      model.called     plan#3/1 fast
17  0s      model.done       plan#3/1 fast → wants search {"q":"x"}
18  0s      node.done        plan#3 {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}],"text":""} as call  ⇒ act
19  0s      turn.started     act#3
20  0s      circuit.refused  act#3/1 search CircuitOpen: circuit-open call=search seconds=30 [transient, resource, by circuit, retry after 30s]  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["search"] times=3 ← call-failed call=search times=0 ← circuit-open call=search seconds=30
                     period 1, 3 times, since 6, seen at 20, in act plan, burned 5 steps, 2 modelCalls, 240 tokens
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["search"] times=3 ← call-failed call=search times=0 ← circuit-open call=search seconds=30, result {"calls":[{"id":"wanted-0","tool":"search","args":{"q":"x"}}]}
ended    stopped: loop because repeated-sequence calls=["search"] times=3 ← call-failed call=search times=0 ← circuit-open call=search seconds=30
spent    6 steps, 3 modelCalls, 360 tokens
lesson   repeated-sequence calls=["search"] times=3 ← call-failed call=search times=0 ← circuit-open call=search seconds=30
