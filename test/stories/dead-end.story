# A node without an implementation and without edges: the thread reports this and ends.

machine: dead_end

start
node.done
----
2   found    failure (unknown): dead-end state=dead_end.work
             period 1, 1 times, since 2, seen at 2, in nowhere, burned 1 steps
    escape   stop (failure.unknown)
    ended    stopped: failure.unknown because dead-end state=dead_end.work, result {}
ended    stopped: failure.unknown because dead-end state=dead_end.work
spent    1 steps
lesson   dead-end state=dead_end.work
