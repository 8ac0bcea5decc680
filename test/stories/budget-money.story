# Money is limited like tokens: the next question is refused once the limit is met.

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
6   found    budget (usd): the limit of 0.5 usd is reached
             period 1, 1 times, since 1, seen at 6, in act, burned 1 steps, 2 modelCalls, 0.55 usd
    escape   stop (budget.usd); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.usd, result {}
ended    stopped: budget.usd
spent    1 steps, 2 modelCalls, 0.55 usd
