# The same question three times with the same answer, with other work in between. It is not a sequence, but still a repetition.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call whoami {} -> root; call read {"file":"a"} -> A
call whoami {} -> root; call read {"file":"b"} -> B; call read {"file":"c"} -> C
call whoami {} -> root; call read {"file":"d"} -> D
----
in       act
pending  act#1
spent    1 steps, 7 toolCalls

call whoami {} -> root
----
17  found    loop (repetition): repeated-call call=whoami times=4 arguments=same result=nothing-new
             period 1, 4 times, since 3, seen at 3 7 13 17, in act, burned 8 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-call call=whoami times=4 arguments=same result=nothing-new, result {}
ended    stopped: loop because repeated-call call=whoami times=4 arguments=same result=nothing-new
spent    1 steps, 8 toolCalls
lesson   repeated-call call=whoami times=4 arguments=same result=nothing-new
