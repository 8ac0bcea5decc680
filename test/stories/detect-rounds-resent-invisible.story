# A program sends "Continue." with signs without a width and as an item of a list, and the agent gives the same answer each time. This is the
# same message.

graph:
  models: { fast: { id: any } }
  input: [goal]
  channels: { goal: {} }
  nodes:
    chat: { use: model, model: fast, on: { done: end } }
    end: { final: success }

start {"goal":"Write a poem."}
ask fast -> I continue with the task.; node.done
message {"goal":"- Continue."}; ask fast -> I continue with the task.; node.done
message {"goal":"¡Continue!"}; ask fast -> I continue with the task.; node.done
message {"goal":"Con\u200btinue."}; ask fast -> I continue with the task.; node.done
message {"goal":"Continue.\u200b\u200b"}; ask fast -> I continue with the task.; node.done
message {"goal":"# Continue"}; ask fast -> I continue with the task.; node.done
----
4   ended    success: goal, result {"goal":"Write a poem."}
9   ended    success: goal, result {"goal":"- Continue."}
14  ended    success: goal, result {"goal":"¡Continue!"}
19  ended    success: goal, result {"goal":"Con​tinue."}
24  ended    success: goal, result {"goal":"Continue.​​"}
28  found    loop (repeatedText): repeated-text speakers=["fast"] times=3
             period 1, 3 times, since 18, seen at 18 23 28, in chat, burned 2 steps, 3 modelCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-text speakers=["fast"] times=3, result {"goal":"# Continue"}
29  ignored
round    6
ended    stopped: loop because repeated-text speakers=["fast"] times=3
spent    6 steps, 6 modelCalls
lesson   repeated-text speakers=["fast"] times=3
