# The same words in another order with other punctuation are the same question. The third time counts as the third time.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call search {"query":"reset the router password"} -> page 12
call search {"query":"router password: reset the"} -> page 12
----
in       act
pending  act#1
spent    1 steps, 2 toolCalls

call search {"query":"The password, reset router!"} -> page 12
----
7   found    loop (repetition): repeated-call call=search times=3 arguments=similar result=nothing-new
             period 1, 3 times, since 3, seen at 3 5 7, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-call call=search times=3 arguments=similar result=nothing-new, result {}
ended    stopped: loop because repeated-call call=search times=3 arguments=similar result=nothing-new
spent    1 steps, 3 toolCalls
lesson   repeated-call call=search times=3 arguments=similar result=nothing-new
