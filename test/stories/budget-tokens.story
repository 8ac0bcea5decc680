# The tokens of a call are known only afterwards. The answer that exceeds the limit is kept, and the next model call is not made.

graph:
  models: { fast: { id: any } }
  nodes:
    act: { use: model, model: fast, on: { done: end } }
    end: { final: success }
  limits: { tokens: 1000 }

start
ask fast -> wants search {"q":"x"} in=700 out=200
ask fast -> wants search {"q":"y"} in=900 out=100
----
in       act
pending  act#1
spent    1 steps, 2 modelCalls, 1900 tokens

model.called fast
----
6   found    budget (tokens): limit-reached unit=tokens limit=1000 of=thread
             period 1, 1 times, since 1, seen at 6, in act, burned 1 steps, 2 modelCalls, 1900 tokens
    escape   stop (budget.tokens)
    ended    stopped: budget.tokens because limit-reached unit=tokens limit=1000 of=thread, result {}
ended    stopped: budget.tokens because limit-reached unit=tokens limit=1000 of=thread
spent    1 steps, 2 modelCalls, 1900 tokens
lesson   limit-reached unit=tokens limit=1000 of=thread
