# Neither does a limit: the round is left at once.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  limits: { toolCalls: 2 }

start
tool.called read {"file":"a"} &
tool.called read {"file":"b"} &
tool.called read {"file":"c"} &
----
4   found    budget (toolCalls): the limit of 2 toolCalls is reached
             period 1, 1 times, since 1, seen at 4, in act, burned 1 steps, 2 toolCalls
    escape   stop (budget.toolCalls); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.toolCalls, result {}
ended    stopped: budget.toolCalls
spent    1 steps, 2 toolCalls
