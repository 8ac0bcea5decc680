# The same question three times with the same answer, other work always in between: no sequence, but forgetful all the same.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call whoami {} -> nobody; call read {"file":"a"} -> A
call whoami {} -> nobody; call read {"file":"b"} -> B; call read {"file":"c"} -> C
call whoami {} -> nobody; call read {"file":"d"} -> D
----
in       act
pending  act#1
spent    1 steps, 7 toolCalls

call whoami {} -> nobody
----
17  found    loop (repetition): whoami was called 4 times with the same arguments, and nothing new came of it
             period 1, 4 times, since 3, seen at 3 7 13 17, in act, burned 8 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 8 toolCalls
