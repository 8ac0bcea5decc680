# A cancel while a call is in doubt ends the thread, and the journal keeps the doubt.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    act: { use: tool, tool: pay, on: { done: end } }
    end: { final: success }

start
turn
call pay {"amount":5} !! class=indeterminate no answer within 30000 ms
cancel enough
----
3   failed   no answer within 30000 ms [indeterminate, request, by story]
4   ended    cancelled: enough, result {}
ended    cancelled: enough
spent    1 steps, 1 toolCalls
