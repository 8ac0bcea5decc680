# Eight times $0.1 reaches a limit of $0.8: money is added without binary rounding errors.

graph:
  models: { fast: { id: any } }
  nodes:
    act: { use: model, model: fast, on: { done: end } }
    end: { final: success }
  limits: { usd: 0.8 }

start
ask fast -> says one usd=0.1
ask fast -> says two usd=0.1
ask fast -> says three usd=0.1
ask fast -> says four usd=0.1
ask fast -> says five usd=0.1
ask fast -> says six usd=0.1
ask fast -> says seven usd=0.1
ask fast -> says eight usd=0.1

model.called fast
----
18  found    budget (usd): limit-reached unit=usd limit=0.8 of=thread
             period 1, 1 times, since 1, seen at 18, in act, burned 1 steps, 8 modelCalls, 0.8 usd
    escape   stop (budget.usd)
    ended    stopped: budget.usd because limit-reached unit=usd limit=0.8 of=thread, result {}
ended    stopped: budget.usd because limit-reached unit=usd limit=0.8 of=thread
spent    1 steps, 8 modelCalls, 0.8 usd
lesson   limit-reached unit=usd limit=0.8 of=thread
