# A program sends "Continue." with a clock, and "Go on.", in turn, and the agent gives the same answer each time. These are messages that
# it was sent before.

graph:
  models: { fast: { id: any } }
  input: [goal]
  channels: { goal: {} }
  nodes:
    chat: { use: model, model: fast, on: { done: end } }
    end: { final: success }

start {"goal":"Write a poem."}
ask fast -> I continue with the task.; node.done
message {"goal":"It is 03:14. Continue."}; ask fast -> I continue with the task.; node.done
message {"goal":"Go on."}; ask fast -> I continue with the task.; node.done
message {"goal":"It is 03:15. Continue."}; ask fast -> I continue with the task.; node.done
message {"goal":"Go on."}; ask fast -> I continue with the task.; node.done
message {"goal":"It is 03:16. Continue."}; ask fast -> I continue with the task.; node.done
message {"goal":"Go on."}; ask fast -> I continue with the task.; node.done
----
4   ended    success: goal, result {"goal":"Write a poem."}
9   ended    success: goal, result {"goal":"It is 03:14. Continue."}
14  ended    success: goal, result {"goal":"Go on."}
19  ended    success: goal, result {"goal":"It is 03:15. Continue."}
24  ended    success: goal, result {"goal":"Go on."}
29  ended    success: goal, result {"goal":"It is 03:16. Continue."}
33  found    loop (repeatedText): repeated-text speakers=["fast"] times=3
             period 1, 3 times, since 23, seen at 23 28 33, in chat, burned 2 steps, 3 modelCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-text speakers=["fast"] times=3, result {"goal":"Go on."}
34  ignored
round    7
ended    stopped: loop because repeated-text speakers=["fast"] times=3
spent    7 steps, 7 modelCalls
lesson   repeated-text speakers=["fast"] times=3
