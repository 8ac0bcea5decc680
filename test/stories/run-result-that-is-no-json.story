# A tool whose result cannot be stored has failed, and the message names the path.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: tool, tool: search, on: { done: end, error: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
world:
  tools: { search: { does: [returns a function] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.failed      work#1/1 search attempt 1: NotJson: not-json path=search.result fault="when is a function" [persistent, request, by not-json]
4   0s      node.failed      work#1 NotJson: not-json path=search.result fault="when is a function" [persistent, request, by not-json]  ⇒ other
5   0s      turn.started     other#1
6   0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 1 toolCalls
