# A money limit works like a token limit: the next model call is refused after the limit is reached.

graph:
  models: { fast: { id: any } }
  nodes:
    act: { use: model, model: fast, on: { done: end } }
    end: { final: success }
  limits: { usd: 0.5 }

start
ask fast -> says one usd=0.3
ask fast -> says two usd=0.25
----
in       act
pending  act#1
spent    1 steps, 2 modelCalls, 0.55 usd

model.called fast
----
6   found    budget (usd): limit-reached unit=usd limit=0.5 of=thread
             period 1, 1 times, since 1, seen at 6, in act, burned 1 steps, 2 modelCalls, 0.55 usd
    escape   stop (budget.usd)
    ended    stopped: budget.usd because limit-reached unit=usd limit=0.5 of=thread, result {}
ended    stopped: budget.usd because limit-reached unit=usd limit=0.5 of=thread
spent    1 steps, 2 modelCalls, 0.55 usd
lesson   limit-reached unit=usd limit=0.5 of=thread
