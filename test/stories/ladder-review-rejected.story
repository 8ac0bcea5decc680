# A person may also say that it is enough.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h } }

start
3x call search {} -> nothing
resume rejected
----
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   review in act; not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to
8   ended    stopped: review.rejected, result {}
ended    stopped: review.rejected
spent    1 steps, 3 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
