# Three failures of a batch would be a stall. A new write in the same batch is progress, which resolves the stall before it takes effect.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  tools:
    look: { use: ./tools.ts#look }
    write: { use: ./tools.ts#write, effects: write, idempotent: true }
  limits: { mistakes: 3 }

start
call look {"at":1} !! HTTP 404; call look {"at":2} !! HTTP 404
tool.called look {"at":3} &
tool.called write {"file":"a"} &
tool.failed look HTTP 404 &
tool.done write written
----
3   failed   HTTP 404 [persistent, request, by http-request]
5   failed   HTTP 404 [persistent, request, by http-request]
8   failed   HTTP 404 [persistent, request, by http-request]
    found    stall (errors): repeated-error call=look times=3 ← call-failed call=look times=3 ← error message="HTTP 404" class=persistent status=404
             period 1, 3 times, since 3, seen at 3 5 8, in act, burned 4 toolCalls
    found    stall (mistakes): failed-rounds calls=["look"] rounds=3 ← call-failed call=look times=3 ← error message="HTTP 404" class=persistent status=404
             period 1, 3 times, since 3, seen at 3 5 8, in act, burned 4 toolCalls
in       act
pending  act#1
spent    1 steps, 4 toolCalls
