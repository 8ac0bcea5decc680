# Twelve files are read, then all of them again: reading twice is not a loop. The beginning of a third time is one.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  detect: { repetition: false }

start
call read {"file":"a"} -> A; call read {"file":"b"} -> B; call read {"file":"c"} -> C; call read {"file":"d"} -> D; call read {"file":"e"} -> E; call read {"file":"f"} -> F; call read {"file":"g"} -> G; call read {"file":"h"} -> H; call read {"file":"i"} -> I; call read {"file":"j"} -> J; call read {"file":"k"} -> K; call read {"file":"l"} -> L
call read {"file":"a"} -> A; call read {"file":"b"} -> B; call read {"file":"c"} -> C; call read {"file":"d"} -> D; call read {"file":"e"} -> E; call read {"file":"f"} -> F; call read {"file":"g"} -> G; call read {"file":"h"} -> H; call read {"file":"i"} -> I; call read {"file":"j"} -> J; call read {"file":"k"} -> K; call read {"file":"l"} -> L
----
in       act
pending  act#1
spent    1 steps, 24 toolCalls

call read {"file":"a"} -> A
----
51  found    loop (sequence): repeated-sequence calls=["read","read","read","read","read","read","read","read","read","read","read","read"] times=2
             period 12, 3 times, since 5, seen at 29 31 33 35 37 39 41 43 45 47 49 51, in act, burned 24 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["read","read","read","read","read","read","read","read","read","read","read","read"] times=2, result {}
ended    stopped: loop because repeated-sequence calls=["read","read","read","read","read","read","read","read","read","read","read","read"] times=2
spent    1 steps, 25 toolCalls
lesson   repeated-sequence calls=["read","read","read","read","read","read","read","read","read","read","read","read"] times=2
