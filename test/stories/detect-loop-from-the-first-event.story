# A thread that never did anything else: the loop begins with its very first call, and its onset says so.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
3x call search {} -> nothing
----
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 3 toolCalls
