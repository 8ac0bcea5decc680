# A hand-written statechart without edges for escape and cancel is still stopped, with the reason. A `wait` is an effect with a deadline.

machine: kettle

start
node.done
+30s
tick
----
3   ignored
in       pause
pending  pause#1 waits until 1m
spent    1 steps, 30s

+30s
tick
----
in       look
pending  look#2
spent    2 steps, 1m

node.done; +1m
tick; node.done; +1m
tick; node.done; +1m
tick; node.done; +1m
tick; node.done; +1m
tick
----
7   found    loop (recurrence): repeated-state states=["kettle.look","kettle.pause"] times=2
             period 2, 2 times, since 0, seen at 0 4 7, in look pause, burned 4 steps, 2m
    escape   stop (loop)
    ended    stopped: loop because repeated-state states=["kettle.look","kettle.pause"] times=2, result {}
8   ignored
9   ignored
10  ignored
11  ignored
12  ignored
13  ignored
14  ignored
15  ignored
ended    stopped: loop because repeated-state states=["kettle.look","kettle.pause"] times=2
spent    4 steps, 2m
lesson   repeated-state states=["kettle.look","kettle.pause"] times=2
