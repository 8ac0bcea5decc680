# The duration differs each time and is not news. It is recognized by its name, in JSON and in text.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call search {"q":"opening hours"} -> {"hits":[],"took_ms":121}
call search {"q":"opening hours"} -> {"hits":[],"took_ms":87}
call search {"q":"opening hours"} -> {"hits":[],"took_ms":304}
call search {"q":"opening hours"} -> {"hits":[],"took_ms":95}
call search {"q":"opening hours"} -> {"hits":[],"took_ms":133}
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["search"] times=3, result {}
8   ignored
9   ignored
10  ignored
11  ignored
ended    stopped: loop because repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
