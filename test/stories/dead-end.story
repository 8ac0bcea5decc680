# A node that nobody works in and that leads nowhere: the thread does not stand still for ever, it says so and ends.

machine: dead_end

start
node.done
----
2   found    failure (unknown): nothing is left to do in dead_end.work, and it is no end
             period 1, 1 times, since 2, seen at 2, in nowhere, burned 1 steps
    escape   stop (failure.unknown); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: failure.unknown, result {}
ended    stopped: failure.unknown
spent    1 steps
