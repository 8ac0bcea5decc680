# Nobody says so in a day: the node has failed as indeterminate. That is never retried and leads to no alternative.

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
4   found    failure (indeterminate): act failed: nobody said whether the call of pay took effect
             period 1, 1 times, since 4, seen at 4, in act, burned 1 toolCalls
    escape   stop (failure.indeterminate); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: failure.indeterminate, result {}
ended    stopped: failure.indeterminate
spent    1 steps, 1 toolCalls
