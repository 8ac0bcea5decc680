# The left region has no rung left. A stop applies to the thread, so both regions are left.

machine: desks

start
3x call read {"page":1} -> one @read
----
7   found    loop (sequence): repeated-sequence calls=["read"] times=3
             period 1, 3 times, since 3, seen at 7, in read, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["read"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["read"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["read"] times=3
