# Four answers on end that the same tool had given before, in no order that repeats: on the move, but nothing new.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  detect: { repetition: false, stale: { times: 4 } }

start
call read {"file":"a"} -> A; call read {"file":"b"} -> B; call read {"file":"c"} -> C
call read {"file":"c"} -> C; call read {"file":"a"} -> A; call read {"file":"b"} -> B
----
in       act
pending  act#1
spent    1 steps, 6 toolCalls

call read {"file":"a"} -> A
----
15  found    stall (stale): 4 rounds (read) held next to nothing that had not been seen before
             period 1, 4 times, since 9, seen at 9 11 13 15, in act, burned 4 toolCalls
    escape   stop (stall); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: stall, result {}
ended    stopped: stall
spent    1 steps, 7 toolCalls
