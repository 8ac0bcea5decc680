# A statechart by hand without an edge for `cancelled` is cancelled all the same.

machine: kettle

start
cancel no tea today
----
1   ended    cancelled: no tea today, result {}
ended    cancelled: no tea today
spent    nothing
