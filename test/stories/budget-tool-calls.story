# The third tool call meets the limit of two. It is refused before it is made, and the partial result is kept.

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
8   found    budget (toolCalls): limit-reached unit=toolCalls limit=2 of=thread
             period 1, 1 times, since 1, seen at 8, in act, burned 2 steps, 2 toolCalls
    escape   stop (budget.toolCalls)
    ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=2 of=thread, result {"found":"one"}
ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=2 of=thread
spent    2 steps, 2 toolCalls
lesson   limit-reached unit=toolCalls limit=2 of=thread
