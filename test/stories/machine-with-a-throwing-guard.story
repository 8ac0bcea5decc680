# A guard that throws ends the thread with the location of the fault. `advance` does not throw.

machine: faulty

start
node.done
----
2   ended    error: machine because machine-failed message="Unable to evaluate guard in transition for event 'done' in state node 'faulty.guarded':", result {"count":0}
ended    error: machine because machine-failed message="Unable to evaluate guard in transition for event 'done' in state node 'faulty.guarded':"
spent    1 steps
