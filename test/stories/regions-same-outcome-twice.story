# Both regions end with `done`, and each outcome moves only its own region.

machine: desks

start
node.done @read
----
in       left.search + right.understood
pending  search#1
spent    1 steps

node.done @search
----
4   ended    success: goal, result {}
ended    success: goal
spent    2 steps
