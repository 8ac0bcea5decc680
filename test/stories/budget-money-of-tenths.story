# Eight tenths of a dollar meet a limit of 0.8: money is added up without what binary fractions lose.

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
18  found    budget (usd): the limit of 0.8 usd is reached
             period 1, 1 times, since 1, seen at 18, in act, burned 1 steps, 8 modelCalls, 0.8 usd
    escape   stop (budget.usd); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.usd, result {}
ended    stopped: budget.usd
spent    1 steps, 8 modelCalls, 0.8 usd
