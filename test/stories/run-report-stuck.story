# The agent reports itself that it is stuck, and escapes like after any finding.

graph:
  models: { fast: { id: small } }
  tools: { report_stuck: { use: report_stuck } }
  channels: { calls: { type: array, items: {}, default: [] } }
  nodes:
    plan: { use: model, model: fast, out: [calls], on: { done.call: act, done: end } }
    act: { use: tools, in: [calls], on: { done: plan, stall: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
world:
  models: { fast: { does: ['wants report_stuck {"reason":"the index has no such word"}'] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      model.called     plan#1/1 fast
3   0s      model.done       plan#1/1 fast → wants report_stuck {"reason":"the index has no such word"}
4   0s      node.done        plan#1 {"calls":[{"id":"wanted-0","tool":"report_stuck","args":{"reason":"the index has no such word"}}],"text":""} as call  ⇒ act
5   0s      turn.started     act#1
6   0s      tool.called      act#1/1 report_stuck {"reason":"the index has no such word"}
7   0s      tool.done        act#1/1 report_stuck → null  ⇒ other
            found    stall (report): agent-stuck text="the index has no such word"
                     period 1, 1 times, since 7, seen at 7, in act, burned 1 toolCalls
            escape   alternative act → other
8   0s      turn.started     other#1
9   0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {"calls":[{"id":"wanted-0","tool":"report_stuck","args":{"reason":"the index has no such word"}}]}
ended    success: goal
spent    3 steps, 1 toolCalls, 1 modelCalls, 120 tokens
lesson   agent-stuck text="the index has no such word"

