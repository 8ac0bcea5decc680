# Five files that are not there, each named in its error: what an error quotes of the call does not make it another one. Reading something
# that is there, in between, counts for half of them.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 99 }

start
call open {"path":"setup.txt"} !! cannot open "setup.txt": it does not exist in this project
call open {"path":"build notes.md"} !! cannot open "build notes.md": it does not exist in this project
call open {"path":"README"} -> Read me.
call open {"path":"environment"} !! cannot open "environment": it does not exist in this project
call open {"path":"docs/index.html"} !! cannot open "docs/index.html": it does not exist in this project
----
3   failed   cannot open "setup.txt": it does not exist in this project [persistent, request, by says-persistent]
5   failed   cannot open "build notes.md": it does not exist in this project [persistent, request, by says-persistent]
9   failed   cannot open "environment": it does not exist in this project [persistent, request, by says-persistent]
11  failed   cannot open "docs/index.html": it does not exist in this project [persistent, request, by says-persistent]
in       act
pending  act#1
spent    1 steps, 5 toolCalls

call open {"path":"how-to"} !! cannot open "how-to": it does not exist in this project
----
13  failed   cannot open "how-to": it does not exist in this project [persistent, request, by says-persistent]
    found    stall (errors): open failed 5 times with the same error: cannot open "how-to": it does not exist in this project
             period 1, 5 times, since 3, seen at 3 5 9 11 13, in act, burned 6 toolCalls
    escape   stop (stall); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: stall, result {}
ended    stopped: stall
spent    1 steps, 6 toolCalls

