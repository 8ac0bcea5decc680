# What an agent notes beside its arguments is different each time; what it asks for is not.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call query {"sql":"select 1","task_progress":"- [x] step 1"} -> no rows
call query {"sql":"select 1","task_progress":"- [x] step 2"} -> no rows
----
in       act
pending  act#1
spent    1 steps, 2 toolCalls

call query {"sql":"select 1","task_progress":"- [x] step 3"} -> no rows
----
7   found    loop (sequence): query 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 3 toolCalls

