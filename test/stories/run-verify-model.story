# A model judges by a tool call. An answer without a verdict is a failure of the gate, never a pass.

graph:
  channels: { goal: { default: a price }, answer: { default: seven } }
  nodes:
    offer: { use: pass, on: { done: check } }
    check: { use: verify, model: judge, prompt: The answer is a number., in: [goal, answer], on: { done: end, done.rejected: offer, error.persistent: broken } }
    end: { final: success }
    broken: { final: failure }
  models: { judge: { id: judge } }
world:
  models: { judge: { does: ['wants verdict {"passed":false,"reason":"not a number"}', says it is fine] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     offer#1
2   0s      node.done        offer#1 {}  ⇒ check
3   0s      turn.started     check#1
4   0s      model.called     check#1/1 judge
5   0s      model.done       check#1/1 judge → wants verdict {"passed":false,"reason":"not a number"}
6   0s      node.done        check#1 {"passed":false,"reasons":["not a number"],"messages":[{"role":"user","content":"The result was checked and not accepted:\n- not a number\nCorrect it."}]} as rejected  ⇒ offer
7   0s      turn.started     offer#2
8   0s      node.done        offer#2 {}  ⇒ check
9   0s      turn.started     check#2
10  0s      model.called     check#2/1 judge
11  0s      model.done       check#2/1 judge → it is fine
12  0s      node.failed      check#2 NoVerdict: no-verdict node=check judge=judge [persistent, request, by verify]  ⇒ broken
            ended    failure: failure, result {"goal":"a price","answer":"seven"}
ended    failure: failure
spent    4 steps, 2 modelCalls, 240 tokens
