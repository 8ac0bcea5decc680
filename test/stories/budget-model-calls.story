# The second model call exceeds the limit of model calls.

graph:
  models: { fast: { id: any } }
  nodes:
    act: { use: model, model: fast, on: { done: end } }
    end: { final: success }
  limits: { modelCalls: 1 }

start
ask fast -> wants search {"q":"x"}
model.called fast
----
4   found    budget (modelCalls): limit-reached unit=modelCalls limit=1 of=thread
             period 1, 1 times, since 1, seen at 4, in act, burned 1 steps, 1 modelCalls
    escape   stop (budget.modelCalls)
    ended    stopped: budget.modelCalls because limit-reached unit=modelCalls limit=1 of=thread, result {}
ended    stopped: budget.modelCalls because limit-reached unit=modelCalls limit=1 of=thread
spent    1 steps, 1 modelCalls
lesson   limit-reached unit=modelCalls limit=1 of=thread
