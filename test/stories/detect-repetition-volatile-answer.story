# Each sent message gets a new id and time. Everything else in the answers is equal, and so is the message: nothing new.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
2x call message {"to":"team","text":"On it!"} -> {"ok":true,"messageId":"m-1","ts":1700000001}
----
in       act
pending  act#1
spent    1 steps, 2 toolCalls

call message {"to":"team","text":"On it!"} -> {"ok":true,"messageId":"m-3","ts":1700000399}
----
7   found    loop (sequence): repeated-sequence calls=["message"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["message"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["message"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["message"] times=3

