# Every detector can be switched off. Then only limits act: this loop runs until its calls are spent.

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
26  found    budget (toolCalls): the limit of 12 toolCalls is reached
             period 1, 1 times, since 1, seen at 26, in act, burned 1 steps, 12 toolCalls
    escape   stop (budget.toolCalls); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.toolCalls, result {}
ended    stopped: budget.toolCalls
spent    1 steps, 12 toolCalls
