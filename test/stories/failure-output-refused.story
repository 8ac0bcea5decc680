# What a node returns must fit its channels: a wrong type fails the node, and the message names the path.

graph:
  channels: { total: { type: integer } }
  nodes:
    work: { use: ./work.ts#work, out: [total], on: { done: end } }
    end: { final: success }

start
node.done {"total":"many"}
----
2   found    failure (persistent): work failed: work: total expected number, received string
             period 1, 1 times, since 2, seen at 2, in work, burned 1 steps
    escape   stop (failure.persistent); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: failure.persistent, result {"total":null}
ended    stopped: failure.persistent
spent    1 steps
