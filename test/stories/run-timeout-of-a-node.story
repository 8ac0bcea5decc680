# A node has a timeout for all its calls and waits together. After it, the node and its call are left.

graph:
  tools: { search: { use: flaky, timeout: 1m } }
  nodes:
    work: { use: tool, tool: search, timeout: 10s, on: { done: end, timeout: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
world:
  tools: { search: { does: [hangs] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   10s     tick             work#1  ⇒ other
4   10s     turn.started     other#1
5   10s     node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 1 toolCalls, 10s
