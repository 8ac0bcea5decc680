# Eight writes of files, each answered { ok: true }, are eight pieces of news: the result of a write is in the external system. Writing
# all of them for the third time is not news.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  tools: { write: { use: ./tools.ts#write, effects: write, idempotent: true } }
  escape: { restarts: 0 }

start
call write {"file":"a"} -> {"ok":true}; call write {"file":"b"} -> {"ok":true}; call write {"file":"c"} -> {"ok":true}; call write {"file":"d"} -> {"ok":true}
call write {"file":"e"} -> {"ok":true}; call write {"file":"f"} -> {"ok":true}; call write {"file":"g"} -> {"ok":true}; call write {"file":"h"} -> {"ok":true}
----
in       act
pending  act#1
spent    1 steps, 8 toolCalls

call write {"file":"a"} -> {"ok":true}; call write {"file":"b"} -> {"ok":true}; call write {"file":"c"} -> {"ok":true}; call write {"file":"d"} -> {"ok":true}
call write {"file":"e"} -> {"ok":true}; call write {"file":"f"} -> {"ok":true}; call write {"file":"g"} -> {"ok":true}; call write {"file":"h"} -> {"ok":true}
----
in       act
pending  act#1
spent    1 steps, 16 toolCalls

call write {"file":"a"} -> {"ok":true}
----
35  found    loop (sequence): repeated-sequence calls=["write","write","write","write","write","write","write","write"] times=2
             period 8, 3 times, since 3, seen at 21 23 25 27 29 31 33 35, in act, burned 17 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["write","write","write","write","write","write","write","write"] times=2, result {}
ended    stopped: loop because repeated-sequence calls=["write","write","write","write","write","write","write","write"] times=2
spent    1 steps, 17 toolCalls
lesson   repeated-sequence calls=["write","write","write","write","write","write","write","write"] times=2
