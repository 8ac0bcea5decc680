# The same message every hour is a schedule, and the same answer to it is right.

graph:
  models: { fast: { id: any } }
  input: [goal]
  channels: { goal: {} }
  nodes:
    chat: { use: model, model: fast, on: { done: end } }
    end: { final: success }

start {"goal":"Is there new mail?"}
ask fast -> There is no new mail.; node.done
9x +1h; message {"goal":"Is there new mail?"}; ask fast -> There is no new mail.; node.done
----
4   ended    success: goal, result {"goal":"Is there new mail?"}
9   ended    success: goal, result {"goal":"Is there new mail?"}
14  ended    success: goal, result {"goal":"Is there new mail?"}
19  ended    success: goal, result {"goal":"Is there new mail?"}
24  ended    success: goal, result {"goal":"Is there new mail?"}
29  ended    success: goal, result {"goal":"Is there new mail?"}
34  ended    success: goal, result {"goal":"Is there new mail?"}
39  ended    success: goal, result {"goal":"Is there new mail?"}
44  ended    success: goal, result {"goal":"Is there new mail?"}
49  ended    success: goal, result {"goal":"Is there new mail?"}
round    10
ended    success: goal
spent    10 steps, 10 modelCalls
