# A node that waits for something may ask as often as it likes, if the spec says so there. Elsewhere the same calls are a loop.

graph:
  nodes:
    poll: { use: ./work.ts#poll, detect: { sequence: false, repetition: false, stale: false }, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
6x call status {} -> pending
node.done
2x call status {} -> pending
----
in       act
pending  act#1
spent    2 steps, 8 toolCalls

call status {} -> pending
----
21  found    loop (sequence): status 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 17, seen at 21, in act, burned 3 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    2 steps, 9 toolCalls
