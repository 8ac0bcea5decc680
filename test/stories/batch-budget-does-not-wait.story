# A limit does not wait for the other calls of a batch. The round is left at once.

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
4   found    budget (toolCalls): limit-reached unit=toolCalls limit=2 of=thread
             period 1, 1 times, since 1, seen at 4, in act, burned 1 steps, 2 toolCalls
    escape   stop (budget.toolCalls)
    ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=2 of=thread, result {}
ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=2 of=thread
spent    1 steps, 2 toolCalls
lesson   limit-reached unit=toolCalls limit=2 of=thread
