# A shorter look-back applies from the change on: what lies further back no longer counts.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  detect: { repetition: { times: 2, within: 3 }, sequence: false, stale: false, sameAnswer: false }

start
call whoami {} -> root
policy.changed {"detect":{"repetition":{"within":2}}}
call look {"for":1} -> ok; call look {"for":2} -> ok
call whoami {} -> root
----
in       act
pending  act#1
spent    1 steps, 4 toolCalls

policy.changed {"detect":{"repetition":{"within":3}}}
call look {"for":3} -> ok; call look {"for":4} -> ok
call whoami {} -> root
----
17  found    loop (repetition): repeated-call call=whoami times=2 arguments=same result=nothing-new
             period 1, 2 times, since 10, seen at 10 17, in act, burned 4 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-call call=whoami times=2 arguments=same result=nothing-new, result {}
ended    stopped: loop because repeated-call call=whoami times=2 arguments=same result=nothing-new
spent    1 steps, 7 toolCalls
lesson   repeated-call call=whoami times=2 arguments=same result=nothing-new

