# A limit concerns the thread, too: both desks are left, in the middle of their calls.

machine: desks

start
policy.changed {"limits":{"toolCalls":2}}
tool.called search {"q":"x"} @search; tool.called read {"page":1} @read
----
in       left.search + right.read
pending  search#1, read#1
spent    2 steps, 2 toolCalls

tool.called search {"q":"y"} @search
----
6   found    budget (toolCalls): the limit of 2 toolCalls is reached
             period 1, 1 times, since 2, seen at 6, in search, burned 2 steps, 2 toolCalls
    escape   stop (budget.toolCalls); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.toolCalls, result {}
ended    stopped: budget.toolCalls
spent    2 steps, 2 toolCalls
