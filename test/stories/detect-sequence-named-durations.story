# How long it took is another each time, and no news: in JSON, and wherever it stands behind its name, it is known by that name.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call search {"q":"opening hours"} -> {"hits":[],"took_ms":121}
call search {"q":"opening hours"} -> {"hits":[],"took_ms":87}
call search {"q":"opening hours"} -> {"hits":[],"took_ms":304}
call search {"q":"opening hours"} -> {"hits":[],"took_ms":95}
call search {"q":"opening hours"} -> {"hits":[],"took_ms":133}
----
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
8   ignored
9   ignored
10  ignored
11  ignored
ended    stopped: loop
spent    1 steps, 3 toolCalls
