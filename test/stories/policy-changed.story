# The policy is part of the run. A change is an event, and judges from then on.

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
10  found    budget (toolCalls): the limit of 3 toolCalls is reached
             period 1, 1 times, since 1, seen at 10, in act, burned 1 steps, 3 toolCalls
    escape   stop (budget.toolCalls); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.toolCalls, result {}
ended    stopped: budget.toolCalls
spent    1 steps, 3 toolCalls
