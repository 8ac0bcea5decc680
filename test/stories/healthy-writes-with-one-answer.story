# Eight files written, each answered { ok: true }, are eight pieces of news: what a write brings is in the world. Writing one of
# them again is no news.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  tools: { write: { use: ./tools.ts#write, effects: write, idempotent: true } }
  escape: { restarts: 0 }

start
call write {"file":"a"} -> {"ok":true}; call write {"file":"b"} -> {"ok":true}; call write {"file":"c"} -> {"ok":true}; call write {"file":"d"} -> {"ok":true}
call write {"file":"e"} -> {"ok":true}; call write {"file":"f"} -> {"ok":true}; call write {"file":"g"} -> {"ok":true}; call write {"file":"h"} -> {"ok":true}
----
in       act
pending  act#1
spent    1 steps, 8 toolCalls

call write {"file":"a"} -> {"ok":true}; call write {"file":"b"} -> {"ok":true}; call write {"file":"c"} -> {"ok":true}; call write {"file":"d"} -> {"ok":true}
----
25  found    loop (sequence): write → write → write → write → write → write → write → write 2 times over, with the same arguments and nothing new in the answers
             period 8, 2 times, since 3, seen at 11 13 15 17 19 21 23 25, in act, burned 12 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 12 toolCalls
