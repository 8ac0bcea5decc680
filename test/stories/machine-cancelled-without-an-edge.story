# A hand-written statechart without an edge for `cancelled` can still be cancelled.

machine: kettle

start
cancel no tea today
----
1   ended    cancelled: no tea today, result {}
ended    cancelled: no tea today
spent    nothing
