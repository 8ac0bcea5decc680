# An assignment that throws ends the thread with the location of the fault. `advance` does not throw.

machine: faulty

start
node.done label=assign
----
2   ended    error: machine because machine-failed message="the assignment broke", result {"count":0}
ended    error: machine because machine-failed message="the assignment broke"
spent    1 steps
