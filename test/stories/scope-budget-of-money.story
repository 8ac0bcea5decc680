# Money is shared like calls: the second thread may not call its model. A person grants a quarter more.

graph:
  models: { fast: { id: any, price: { input: 1000, output: 5000 } } }
  nodes:
    act: { use: model, model: fast, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: { usd: 0.2, key: nightly } } }
  escape: { review: { deadline: 1h } }
world:
  models: { fast: { does: [says hello], price: { input: 1000, output: 5000 } } }

drive
thread second
drive
----
thread   story
0   0s      thread.started   {}
1   0s      turn.started     act#1
2   0s      model.called     act#1/1 fast
3   0s      model.done       act#1/1 fast → hello
4   0s      node.done        act#1 {"calls":[],"text":"hello"} as answer  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 1 modelCalls, 120 tokens, 0.2 usd
thread   second
0   0s      thread.started   {}
1   0s      scope.noted      job (nightly) others spent 0.2 usd
2   0s      turn.started     act#1
3   0s      model.called     act#1/1 fast   ⇒ review
            found    budget (scope.job.usd): limit-reached unit=usd limit=0.2 of=scope scope=job key=nightly
                     period 1, 1 times, since 2, seen at 3, in act, burned 1 steps
            escape   review in act
in       review
pending  review#1 asks 'ask-route' because limit-reached unit=usd limit=0.2 of=scope scope=job key=nightly until 1h
spent    1 steps
lesson   limit-reached unit=usd limit=0.2 of=scope scope=job key=nightly

submit resume approved
drive
----
thread   second
4   0s      resume           review#1 approved  ⇒ act
5   0s      turn.started     act#2 by driver 2
6   0s      model.called     act#2/1 fast
7   0s      model.done       act#2/1 fast → hello
8   0s      node.done        act#2 {"calls":[],"text":"hello"} as answer  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 1 modelCalls, 120 tokens, 0.2 usd
lesson   limit-reached unit=usd limit=0.2 of=scope scope=job key=nightly
