# A substitute answers for a model whose endpoint is down, and the price of the substitute applies.

graph:
  models:
    fast: { id: small, price: { input: 1, output: 1 }, substitutes: [other] }
    other: { id: small-elsewhere, price: { input: 1000, output: 1000 } }
  breaker: { threshold: 1, reset: 30s }
  retry: { attempts: 1 }
  nodes:
    plan: { use: model, model: fast, on: { done.answer: end, done.call: end } }
    end: { final: success }
world:
  models: { fast: { does: [fails HTTP 503] }, other: { does: [says hello] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      model.called     plan#1/1 fast
3   0s      circuit.opened   plan#1/1 fast after 1 failures
4   0s      model.failed     plan#1/1 fast attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
5   0s      call.substituted plan#1/1 fast is out of order: other answers
6   0s      model.called     plan#1/1 other instead of fast
7   0s      model.done       plan#1/1 other → hello
8   0s      node.done        plan#1 {"calls":[],"text":"hello"} as answer  ⇒ end
            ended    success: goal, result {}
ledger   fast 1, other 1
ended    success: goal
spent    1 steps, 2 modelCalls, 120 tokens, 0.12 usd
