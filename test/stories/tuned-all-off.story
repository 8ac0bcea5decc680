# Every detector can be switched off. Then only limits apply, and this loop runs until its calls are spent.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  detect: { sequence: false, repetition: false, recurrence: false, stale: false, errors: false, noToolCall: false, mistakes: false }
  limits: { toolCalls: 12 }

start
12x call search {} -> nothing
----
in       act
pending  act#1
spent    1 steps, 12 toolCalls

tool.called search {}
----
26  found    budget (toolCalls): limit-reached unit=toolCalls limit=12 of=thread
             period 1, 1 times, since 1, seen at 26, in act, burned 1 steps, 12 toolCalls
    escape   stop (budget.toolCalls)
    ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=12 of=thread, result {}
ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=12 of=thread
spent    1 steps, 12 toolCalls
lesson   limit-reached unit=toolCalls limit=12 of=thread
