# Two active regions. A loop in the left region moves only that region to an alternative. The right region continues, and its calls never
# counted toward the left one.

machine: desks

start
turn
call search {"q":"x"} -> nothing @search; call read {"page":1} -> one @read
call search {"q":"x"} -> nothing @search; call read {"page":2} -> two @read
----
in       left.search + right.read
pending  search#1, read#1
spent    2 steps, 4 toolCalls

call search {"q":"x"} -> nothing @search
----
12  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 4, seen at 12, in search, burned 5 toolCalls
    escape   alternative of left search → (as its machine says)
in       left.guess + right.read
pending  read#1, guess#1
spent    2 steps, 5 toolCalls
lesson   repeated-sequence calls=["search"] times=3

node.done @guess; node.done @read
----
15  ended    success: goal, result {}
ended    success: goal
spent    3 steps, 5 toolCalls
lesson   repeated-sequence calls=["search"] times=3
