# Different questions may have the same answer, also in quick succession.

graph:
  models: { fast: { id: any } }
  input: [goal]
  channels: { goal: {} }
  nodes:
    chat: { use: model, model: fast, on: { done: end } }
    end: { final: success }

start {"goal":"Is the shop open on Monday?"}
ask fast -> Yes, from nine to six.; node.done
message {"goal":"And on Tuesday?"}; ask fast -> Yes, from nine to six.; node.done
message {"goal":"And on Wednesday?"}; ask fast -> Yes, from nine to six.; node.done
message {"goal":"And on Thursday?"}; ask fast -> Yes, from nine to six.; node.done
message {"goal":"And on Friday?"}; ask fast -> Yes, from nine to six.; node.done
message {"goal":"And before Christmas?"}; ask fast -> Yes, from nine to six.; node.done
----
4   ended    success: goal, result {"goal":"Is the shop open on Monday?"}
9   ended    success: goal, result {"goal":"And on Tuesday?"}
14  ended    success: goal, result {"goal":"And on Wednesday?"}
19  ended    success: goal, result {"goal":"And on Thursday?"}
24  ended    success: goal, result {"goal":"And on Friday?"}
29  ended    success: goal, result {"goal":"And before Christmas?"}
round    6
ended    success: goal
spent    6 steps, 6 modelCalls
