# A node that polls may call as often as it needs, if its settings say so. Elsewhere, the same calls are a loop.

graph:
  nodes:
    poll: { use: ./work.ts#poll, detect: { sequence: false, repetition: false, stale: false }, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
6x call status {} -> pending
node.done
2x call status {} -> pending
----
in       act
pending  act#1
spent    2 steps, 8 toolCalls

call status {} -> pending
----
21  found    loop (sequence): repeated-sequence calls=["status"] times=3
             period 1, 3 times, since 17, seen at 21, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["status"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["status"] times=3
spent    2 steps, 9 toolCalls
lesson   repeated-sequence calls=["status"] times=3
