# The wait for an answer about a call in doubt does not count as wall time.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    work: { use: tool, tool: pay, on: { done: end } }
    end: { final: success }
  limits: { duration: 10m }

start
turn
+1m
call pay {"amount":5} !! class=indeterminate no answer within 30000 ms
----
3   failed   no answer within 30000 ms [indeterminate, request, by story]
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=pay' until 1d1m
spent    1 steps, 1 toolCalls, 1m

+20h
resume applied {"receipt":7}
----
in       work
pending  work#1
spent    1 steps, 1 toolCalls, 1m

turn
+1m
node.done
----
6   ended    success: goal, result {}
ended    success: goal
spent    1 steps, 1 toolCalls, 2m
