# Three failed calls in a row, of any tool and for any reason. One success in between resets the count.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 3 }

start
call read {"file":"a"} !! ENOENT: no such file a
call list {} !! HTTP 403
call read {"file":"b"} -> B
call read {"file":"a"} !! ENOENT: no such file a
call patch {} !! name=InvalidArguments expected a patch
----
3   failed   ENOENT: no such file a [persistent, request, by says-persistent]
5   failed   HTTP 403 [persistent, resource, by http-credentials]
9   failed   ENOENT: no such file a [persistent, request, by says-persistent]
11  failed   InvalidArguments: expected a patch [persistent, request, by arguments]
in       act
pending  act#1
spent    1 steps, 5 toolCalls

call list {} !! HTTP 404
----
13  failed   HTTP 404 [persistent, request, by http-request]
    found    stall (mistakes): failed-rounds calls=["read","patch","list"] rounds=3 ← call-failed call=list times=1 ← error message="HTTP 404" class=persistent status=404
             period 1, 3 times, since 9, seen at 9 11 13, in act, burned 3 toolCalls
    escape   stop (stall)
    ended    stopped: stall because failed-rounds calls=["read","patch","list"] rounds=3 ← call-failed call=list times=1 ← error message="HTTP 404" class=persistent status=404, result {}
ended    stopped: stall because failed-rounds calls=["read","patch","list"] rounds=3 ← call-failed call=list times=1 ← error message="HTTP 404" class=persistent status=404
spent    1 steps, 6 toolCalls
lesson   failed-rounds calls=["read","patch","list"] rounds=3 ← call-failed call=list times=1 ← error message="HTTP 404" class=persistent status=404
