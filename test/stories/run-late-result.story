# A read that ignores its signal delays nothing. Its late result is journalled and has no effect.

graph:
  tools: { search: { use: flaky, timeout: 1m }, nap: { use: flaky } }
  nodes:
    work: { use: tool, tool: search, timeout: 10s, on: { done: end, timeout: other } }
    other: { use: tool, tool: nap, on: { done: end } }
    end: { final: success }
world:
  tools: { search: { does: [ignores the signal 18s answers found after all] }, nap: { does: [after 10s answers slept] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   10s     tick             work#1  ⇒ other
4   10s     turn.started     other#1
5   10s     tool.called      other#1/1 nap {}
6   18s     call.late        work#1/1 search → "found after all"
7   20s     tool.done        other#1/1 nap → "slept"
8   20s     node.done        other#1 "slept"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 2 toolCalls, 20s
