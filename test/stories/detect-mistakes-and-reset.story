# Three failed calls on end, of whatever tool and for whatever reason. One success in between starts the count again.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call read {"file":"a"} !! ENOENT: no such file a
call list {} !! HTTP 403
call read {"file":"b"} -> B
call read {"file":"a"} !! ENOENT: no such file a
call patch {} !! name=InvalidArguments expected a patch
----
in       act
pending  act#1
spent    1 steps, 5 toolCalls

call list {} !! HTTP 404
----
12  found    stall (mistakes): 3 calls in a row failed (read, patch, list)
             period 1, 3 times, since 8, seen at 8 10 12, in act, burned 3 toolCalls
    escape   stop (stall); not retry: it acts on single calls, in place; not alternative: no edge leads out of the loop; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: stall, result {}
ended    stopped: stall
spent    1 steps, 6 toolCalls
