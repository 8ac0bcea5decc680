# A model that says the same thing for the third time and does nothing will say it a fourth time.

graph:
  models: { fast: { id: any } }
  nodes:
    think: { use: model, model: fast, on: { done: think } }
    end: { final: success }
  detect: { recurrence: false }

start
2x ask fast -> Let me first think about what is wanted here.; node.done
----
in       think
pending  think#3
spent    2 steps, 2 modelCalls

ask fast -> Let me first think about what is wanted here.
----
11  found    loop (repeatedText): repeated-text speakers=["fast"] times=3
             period 1, 3 times, since 3, seen at 3 7 11, in think, burned 2 steps, 3 modelCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-text speakers=["fast"] times=3, result {}
ended    stopped: loop because repeated-text speakers=["fast"] times=3
spent    3 steps, 3 modelCalls
lesson   repeated-text speakers=["fast"] times=3

