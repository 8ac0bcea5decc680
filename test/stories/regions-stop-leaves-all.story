# Nothing is left to try at the left desk: to stop concerns the thread, and both desks are left.

machine: desks

start
3x call read {"page":1} -> one @read
----
7   found    loop (sequence): read 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in read, burned 3 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 3 toolCalls
