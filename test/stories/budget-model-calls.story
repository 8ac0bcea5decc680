# The same for models: the second question is one too many.

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
4   found    budget (modelCalls): the limit of 1 modelCalls is reached
             period 1, 1 times, since 1, seen at 4, in act, burned 1 steps, 1 modelCalls
    escape   stop (budget.modelCalls); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.modelCalls, result {}
ended    stopped: budget.modelCalls
spent    1 steps, 1 modelCalls
