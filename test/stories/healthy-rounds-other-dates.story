# Questions about another date may have the same answer.

graph:
  models: { fast: { id: any } }
  input: [goal]
  channels: { goal: {} }
  nodes:
    chat: { use: model, model: fast, on: { done: end } }
    end: { final: success }

start {"goal":"What happened on 2026-01-03?"}
ask fast -> Nothing was reported.; node.done
message {"goal":"What happened on 2026-01-04?"}; ask fast -> Nothing was reported.; node.done
message {"goal":"What happened on 2026-01-05?"}; ask fast -> Nothing was reported.; node.done
message {"goal":"What happened on 2026-01-06?"}; ask fast -> Nothing was reported.; node.done
message {"goal":"What happened on 2026-01-07?"}; ask fast -> Nothing was reported.; node.done
message {"goal":"What happened on 2026-01-08?"}; ask fast -> Nothing was reported.; node.done
message {"goal":"What happened on 2026-01-09?"}; ask fast -> Nothing was reported.; node.done
----
4   ended    success: goal, result {"goal":"What happened on 2026-01-03?"}
9   ended    success: goal, result {"goal":"What happened on 2026-01-04?"}
14  ended    success: goal, result {"goal":"What happened on 2026-01-05?"}
19  ended    success: goal, result {"goal":"What happened on 2026-01-06?"}
24  ended    success: goal, result {"goal":"What happened on 2026-01-07?"}
29  ended    success: goal, result {"goal":"What happened on 2026-01-08?"}
34  ended    success: goal, result {"goal":"What happened on 2026-01-09?"}
round    7
ended    success: goal
spent    7 steps, 7 modelCalls
