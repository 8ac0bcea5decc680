# How far back a detector looks can be changed at run time. The same question with two others in between: the latest two calls hold no
# earlier one, the latest three do.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  detect: { repetition: { times: 2, within: 2 }, sequence: false, stale: false, sameAnswer: false }

start
call whoami {} -> root; call look {"for":1} -> ok; call look {"for":2} -> ok
call whoami {} -> root; call look {"for":3} -> ok; call look {"for":4} -> ok
----
in       act
pending  act#1
spent    1 steps, 6 toolCalls

policy.changed {"detect":{"repetition":{"within":3}}}
call whoami {} -> root; call look {"for":5} -> ok; call look {"for":6} -> ok
call whoami {} -> root
----
22  found    loop (repetition): repeated-call call=whoami times=2 arguments=same result=nothing-new
             period 1, 2 times, since 16, seen at 16 22, in act, burned 4 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-call call=whoami times=2 arguments=same result=nothing-new, result {}
ended    stopped: loop because repeated-call call=whoami times=2 arguments=same result=nothing-new
spent    1 steps, 10 toolCalls
lesson   repeated-call call=whoami times=2 arguments=same result=nothing-new

