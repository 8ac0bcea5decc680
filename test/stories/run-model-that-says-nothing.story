# A model talks twice instead of calling a tool: noToolCall, and the route of the node.

graph:
  models: { fast: { id: any } }
  nodes:
    plan: { use: model, model: fast, command: required, on: { done.call: end, done: plan, noToolCall: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
world:
  models: { fast: { does: [says well, says let me see] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      model.called     plan#1/1 fast
3   0s      model.done       plan#1/1 fast → well
4   0s      node.done        plan#1 {"calls":[],"text":"well"} as answer  ⇒ plan
5   0s      turn.started     plan#2
6   0s      model.called     plan#2/1 fast
7   0s      model.done       plan#2/1 fast → let me see  ⇒ other
            found    noToolCall (noToolCall): no-tool-call model=fast times=2
                     period 1, 2 times, since 3, seen at 3 7, in plan, burned 1 steps, 2 modelCalls, 240 tokens
            escape   alternative plan → other
8   0s      turn.started     other#1
9   0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    3 steps, 2 modelCalls, 240 tokens
lesson   no-tool-call model=fast times=2
