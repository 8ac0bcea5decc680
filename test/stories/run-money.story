# The cost of a model call is computed once, from its price and its usage. The limit applies before the next call.

graph:
  models: { fast: { id: any, price: { input: 1000, output: 5000 } } }
  channels: { calls: { type: array, items: {}, default: [] } }
  nodes:
    plan: { use: model, model: fast, out: [calls], on: { done: plan } }
    end: { final: success }
  limits: { usd: 0.3 }
  detect: { recurrence: false }
world:
  models: { fast: { does: [says one, says two, says three] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      model.called     plan#1/1 fast
3   0s      model.done       plan#1/1 fast → one
4   0s      node.done        plan#1 {"calls":[],"text":"one"} as answer  ⇒ plan
5   0s      turn.started     plan#2
6   0s      model.called     plan#2/1 fast
7   0s      model.done       plan#2/1 fast → two
8   0s      node.done        plan#2 {"calls":[],"text":"two"} as answer  ⇒ plan
9   0s      turn.started     plan#3
10  0s      model.called     plan#3/1 fast   ⇒ stopped
            found    budget (usd): limit-reached unit=usd limit=0.3 of=thread
                     period 1, 1 times, since 1, seen at 10, in plan, burned 3 steps, 2 modelCalls, 240 tokens, 0.4 usd
            escape   stop (budget.usd)
            ended    stopped: budget.usd because limit-reached unit=usd limit=0.3 of=thread, result {"calls":[]}
ledger   fast 2
ended    stopped: budget.usd because limit-reached unit=usd limit=0.3 of=thread
spent    3 steps, 2 modelCalls, 240 tokens, 0.4 usd
lesson   limit-reached unit=usd limit=0.3 of=thread
