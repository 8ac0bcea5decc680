# The same words in another order, with other signs between them: still the same question, and the third time is the third time.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call search {"query":"reset the router password"} -> page 12
call search {"query":"router password: reset the"} -> page 12
----
in       act
pending  act#1
spent    1 steps, 2 toolCalls

call search {"query":"The password, reset router!"} -> page 12
----
7   found    loop (repetition): search was called 3 times with much the same arguments, and nothing new came of it
             period 1, 3 times, since 3, seen at 3 5 7, in act, burned 3 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 3 toolCalls
