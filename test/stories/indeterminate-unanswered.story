# The question about a call in doubt expires after a day, and the node fails as indeterminate. That failure is never retried and does not
# lead to an alternative.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    act: { use: tool, tool: pay, on: { done: end } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
  escape: { alternatives: { act: [other] } }

start
turn
call pay {"amount":5} !! class=indeterminate no answer within 30000 ms
+1d
tick @act#1/1?
----
3   failed   no answer within 30000 ms [indeterminate, request, by story]
4   found    failure (indeterminate): node-failed node=act ← call-unresolved call=pay
             period 1, 1 times, since 4, seen at 4, in act, burned 1 toolCalls
    escape   stop (failure.indeterminate)
    ended    stopped: failure.indeterminate because node-failed node=act ← call-unresolved call=pay, result {}
ended    stopped: failure.indeterminate because node-failed node=act ← call-unresolved call=pay
spent    1 steps, 1 toolCalls
lesson   node-failed node=act ← call-unresolved call=pay
