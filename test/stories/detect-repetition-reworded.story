# The same question in other words returns the same page. Rewording does not make it a different question.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call search {"q":"reset router password"} -> See your manual, page 12.
call search {"q":"router password reset how"} -> See your manual, page 12.
----
in       act
pending  act#1
spent    1 steps, 2 toolCalls

call search {"q":"how to reset the router password"} -> See your manual, page 12.
call search {"q":"password reset router"} -> See your manual, page 12.
----
9   found    loop (repetition): repeated-call call=search times=4 arguments=similar result=nothing-new
             period 1, 4 times, since 3, seen at 3 5 7 9, in act, burned 4 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-call call=search times=4 arguments=similar result=nothing-new, result {}
ended    stopped: loop because repeated-call call=search times=4 arguments=similar result=nothing-new
spent    1 steps, 4 toolCalls
lesson   repeated-call call=search times=4 arguments=similar result=nothing-new

