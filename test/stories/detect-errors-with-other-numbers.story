# Four times the same error, though arguments, ids and line numbers differ each time: what differs is not what is said.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }

start
call patch {"line":10} !! hunk 1 of request 7f3a9c21be does not apply at line 10
call patch {"line":12} !! hunk 1 of request 0011223344 does not apply at line 12
call patch {"line":7} !! hunk 1 of request 00aabbcc44 does not apply at line 7
----
3   failed   hunk 1 of request 7f3a9c21be does not apply at line 10 [unknown, resource, by none]
5   failed   hunk 1 of request 0011223344 does not apply at line 12 [unknown, resource, by none]
7   failed   hunk 1 of request 00aabbcc44 does not apply at line 7 [unknown, resource, by none]
in       act
pending  act#1
spent    1 steps, 3 toolCalls

call patch {"line":99} !! hunk 1 of request deadbeef99 does not apply at line 99
----
9   failed   hunk 1 of request deadbeef99 does not apply at line 99 [unknown, resource, by none]
    found    loop (repetition): patch was called 4 times with much the same arguments, and nothing new came of it
             period 1, 4 times, since 3, seen at 3 5 7 9, in act, burned 4 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 4 toolCalls
