# A statechart by hand without an edge for `cancelled` is cancelled all the same.

machine: kettle

start
cancel no tea today
----
1   found    failure (cancelled): no tea today
             period 1, 1 times, since 1, seen at 1, in look, burned 1 steps
    escape   stop (failure.cancelled); not retry: it acts on single calls, in place; not alternative: no edge leads out of the loop; not review: nobody is there to ask (no `escape.review`)
    ended    cancelled: no tea today, result {}
ended    cancelled: no tea today
spent    1 steps
