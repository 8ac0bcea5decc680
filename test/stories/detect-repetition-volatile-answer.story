# Each message that is sent gets an id and a time of its own. What else the answers say is the same, and so is the message: no news.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
2x call message {"to":"team","text":"On it!"} -> {"ok":true,"messageId":"m-1","ts":1700000001}
----
in       act
pending  act#1
spent    1 steps, 2 toolCalls

call message {"to":"team","text":"On it!"} -> {"ok":true,"messageId":"m-3","ts":1700000399}
----
7   found    loop (sequence): message 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 3 toolCalls

