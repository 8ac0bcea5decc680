# A tool ignores its signal and is abandoned after five seconds. Its later result is journalled as late and changes nothing.

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
4   15s     turn.started     other#1
5   15s     tool.called      other#1/1 nap {}
6   18s     call.late        work#1/1 search → "found after all"
7   25s     tool.done        other#1/1 nap → "slept"
8   25s     node.done        other#1 "slept"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 2 toolCalls, 25s
