# Four equal calls side by side are asked once: it is a round that counts, not its calls. The third such round is a loop.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call list {} -> nothing yet &; call list {} -> nothing yet &; call list {} -> nothing yet &; call list {} -> nothing yet
call list {} -> nothing yet &; call list {} -> nothing yet
----
in       act
pending  act#1
spent    1 steps, 6 toolCalls

call list {} -> nothing yet &; call list {} -> nothing yet
----
15  found    loop (sequence): list 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 15, in act, burned 7 toolCalls
16  escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
17  ignored
ended    stopped: loop
spent    1 steps, 8 toolCalls

