# The third call of a tool meets the limit of two: it is refused before it is made, and the partial result is kept.

graph:
  channels: { found: { type: string, default: '' } }
  nodes:
    look: { use: ./work.ts#look, out: [found], on: { done: act } }
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  limits: { toolCalls: 2 }

start
call search {"q":"x"} -> one
node.done {"found":"one"}
call search {"q":"y"} -> two
----
in       act
pending  act#1
spent    2 steps, 2 toolCalls

tool.called search {"q":"z"}
----
8   found    budget (toolCalls): the limit of 2 toolCalls is reached
             period 1, 1 times, since 1, seen at 8, in act, burned 2 steps, 2 toolCalls
    escape   stop (budget.toolCalls); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.toolCalls, result {"found":"one"}
ended    stopped: budget.toolCalls
spent    2 steps, 2 toolCalls
