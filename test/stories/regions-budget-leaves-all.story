# A limit applies to the whole thread: both regions are left in the middle of their calls.

machine: desks

start
policy.changed {"limits":{"toolCalls":2}}
tool.called search {"q":"x"} @search; tool.called read {"page":1} @read
----
in       left.search + right.read
pending  search#1, read#1
spent    2 steps, 2 toolCalls

tool.called search {"q":"y"} @search
----
6   found    budget (toolCalls): limit-reached unit=toolCalls limit=2 of=thread
             period 1, 1 times, since 2, seen at 6, in search, burned 2 steps, 2 toolCalls
    escape   stop (budget.toolCalls)
    ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=2 of=thread, result {}
ended    stopped: budget.toolCalls because limit-reached unit=toolCalls limit=2 of=thread
spent    2 steps, 2 toolCalls
lesson   limit-reached unit=toolCalls limit=2 of=thread
