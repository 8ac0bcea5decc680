# The same error three times, with different arguments, ids and line numbers. Such differences do not make it a different error.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 9 }

start
call patch {"line":10} !! hunk 1 of request 7f3a9c21be does not apply at line 10
call patch {"line":12} !! hunk 1 of request 0011223344 does not apply at line 12
----
3   failed   hunk 1 of request 7f3a9c21be does not apply at line 10 [unknown, resource, by none]
5   failed   hunk 1 of request 0011223344 does not apply at line 12 [unknown, resource, by none]
in       act
pending  act#1
spent    1 steps, 2 toolCalls

call patch {"line":7} !! hunk 1 of request 00aabbcc44 does not apply at line 7
----
7   failed   hunk 1 of request 00aabbcc44 does not apply at line 7 [unknown, resource, by none]
    found    stall (errors): repeated-error call=patch times=3 ← call-failed call=patch times=3 ← error message="hunk 1 of request 00aabbcc44 does not apply at line 7" class=unknown
             period 1, 3 times, since 3, seen at 3 5 7, in act, burned 3 toolCalls
    escape   stop (stall)
    ended    stopped: stall because repeated-error call=patch times=3 ← call-failed call=patch times=3 ← error message="hunk 1 of request 00aabbcc44 does not apply at line 7" class=unknown, result {}
ended    stopped: stall because repeated-error call=patch times=3 ← call-failed call=patch times=3 ← error message="hunk 1 of request 00aabbcc44 does not apply at line 7" class=unknown
spent    1 steps, 3 toolCalls
lesson   repeated-error call=patch times=3 ← call-failed call=patch times=3 ← error message="hunk 1 of request 00aabbcc44 does not apply at line 7" class=unknown
