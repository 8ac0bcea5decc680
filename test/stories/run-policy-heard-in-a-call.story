# A policy change takes effect within a second, also during a long call. The next call exceeds the new limit.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { toolCalls: 9 }
world:
  nodes: { work: [call search, call search] }
  tools: { search: { does: [after 20s answers found] } }

after 5s submit policy.change {"limits":{"toolCalls":1}}
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   5s      policy.changed   {"limits":{"toolCalls":1}}
4   20s     tool.done        work#1/1 search → "found"
5   20s     tool.called      work#1/2 search {}  ⇒ stopped
            found    budget (toolCalls): limit-reached unit=toolCalls limit=1 of=thread
                     period 1, 1 times, since 1, seen at 5, in work, burned 1 steps, 1 toolCalls, 20s
            escape   stop (budget.toolCalls)
            ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=1 of=thread, result {}
ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=1 of=thread
spent    1 steps, 1 toolCalls, 20s
lesson   limit-reached unit=toolCalls limit=1 of=thread
