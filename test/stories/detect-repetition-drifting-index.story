# An index grows by one, without any result. The calls are nearly equal, and so are their answers.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call click {"index":11,"page":"results"} -> The list of results is shown as before, with twenty links on it.
call click {"index":12,"page":"results"} -> The list of results is shown as before, with twenty links on it.
call click {"index":13,"page":"results"} -> The list of results is shown as before, with twenty links on it.
----
in       act
pending  act#1
spent    1 steps, 3 toolCalls

call click {"index":14,"page":"results"} -> The list of results is shown as before, with twenty links on it.
----
9   found    loop (repetition): repeated-call call=click times=4 arguments=similar result=nothing-new
             period 1, 4 times, since 3, seen at 3 5 7 9, in act, burned 4 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-call call=click times=4 arguments=similar result=nothing-new, result {}
ended    stopped: loop because repeated-call call=click times=4 arguments=similar result=nothing-new
spent    1 steps, 4 toolCalls
lesson   repeated-call call=click times=4 arguments=similar result=nothing-new

