# An assignment that throws does the same.

machine: faulty

start
node.done label=assign
----
2   ended    error: machine because machine-failed message="the assignment broke", result {"count":0}
ended    error: machine because machine-failed message="the assignment broke"
spent    1 steps
