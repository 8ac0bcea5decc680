# The policy is part of the run. A change is an event and applies from then on.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
2x call search {} -> nothing
policy.changed {"detect":{"sequence":{"repeats":5},"repetition":{"times":5}}}
call search {} -> nothing
----
in       act
pending  act#1
spent    1 steps, 3 toolCalls

policy.changed {"limits":{"toolCalls":3}}
tool.called search {}
----
10  found    budget (toolCalls): limit-reached unit=toolCalls limit=3 of=thread
             period 1, 1 times, since 1, seen at 10, in act, burned 1 steps, 3 toolCalls
    escape   stop (budget.toolCalls)
    ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=3 of=thread, result {}
ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=3 of=thread
spent    1 steps, 3 toolCalls
lesson   limit-reached unit=toolCalls limit=3 of=thread
