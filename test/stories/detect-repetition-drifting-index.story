# An index that moves on by one, and nothing that comes of it: the calls are all but the same, and so is what they find.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call click {"index":11,"page":"results"} -> The list of results is shown as before, with twenty links on it.
call click {"index":12,"page":"results"} -> The list of results is shown as before, with twenty links on it.
call click {"index":13,"page":"results"} -> The list of results is shown as before, with twenty links on it.
----
in       act
pending  act#1
spent    1 steps, 3 toolCalls

call click {"index":14,"page":"results"} -> The list of results is shown as before, with twenty links on it.
----
9   found    loop (repetition): click was called 4 times with much the same arguments, and nothing new came of it
             period 1, 4 times, since 3, seen at 3 5 7 9, in act, burned 4 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 4 toolCalls

