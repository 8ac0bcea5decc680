# Questions that differ in a number may have the same answer.

graph:
  models: { fast: { id: any } }
  input: [goal]
  channels: { goal: {} }
  nodes:
    chat: { use: model, model: fast, on: { done: end } }
    end: { final: success }

start {"goal":"Is the shop open on December 21?"}
ask fast -> Yes, from nine to six.; node.done
message {"goal":"Is the shop open on December 22?"}; ask fast -> Yes, from nine to six.; node.done
message {"goal":"Is the shop open on December 23?"}; ask fast -> Yes, from nine to six.; node.done
message {"goal":"Is the shop open on December 27?"}; ask fast -> Yes, from nine to six.; node.done
message {"goal":"Is the shop open on December 28?"}; ask fast -> Yes, from nine to six.; node.done
message {"goal":"Is the shop open on December 29?"}; ask fast -> Yes, from nine to six.; node.done
----
4   ended    success: goal, result {"goal":"Is the shop open on December 21?"}
9   ended    success: goal, result {"goal":"Is the shop open on December 22?"}
14  ended    success: goal, result {"goal":"Is the shop open on December 23?"}
19  ended    success: goal, result {"goal":"Is the shop open on December 27?"}
24  ended    success: goal, result {"goal":"Is the shop open on December 28?"}
29  ended    success: goal, result {"goal":"Is the shop open on December 29?"}
round    6
ended    success: goal
spent    6 steps, 6 modelCalls
