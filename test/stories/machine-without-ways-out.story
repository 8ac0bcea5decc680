# A statechart by hand that knows neither escape nor cancel is stopped all the same, with its reason. A `wait` is an effect with a time.

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
<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
7   found    loop (recurrence): kettle.look → kettle.pause and back 2 times, with the state unchanged
             period 2, 2 times, since 0, seen at 0 4 7, in look pause, burned 4 steps, 2m
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
=======
7   found    loop (recurrence): repeated-state states=["kettle.look","kettle.pause"] times=2
             period 2, 2 times, since 0, seen at 0 4 7, in look pause, burned 4 steps, 2m duration
    escape   stop (loop)
    ended    stopped: loop because repeated-state states=["kettle.look","kettle.pause"] times=2, result {}
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
8   ignored
9   ignored
10  ignored
11  ignored
12  ignored
13  ignored
14  ignored
15  ignored
<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
ended    stopped: loop
spent    4 steps, 2m
=======
ended    stopped: loop because repeated-state states=["kettle.look","kettle.pause"] times=2
spent    4 steps, 2m duration
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
