# A guard that throws ends the thread with the place of the fault; nothing is thrown out of `advance`.

machine: faulty

start
node.done
----
1   ended    error: Unable to evaluate guard in transition for event 'done' in state node 'faulty.guarded': the guard of `done` broke, result {"count":0}
ended    error: Unable to evaluate guard in transition for event 'done' in state node 'faulty.guarded': the guard of `done` broke
spent    1 steps
