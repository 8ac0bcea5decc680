# Three nodes in turn, each with a tool; the second tool always fails with a 500. A repeated failure is a repeated answer, so the lap is a
# loop when it begins for the third time.

graph:
  nodes:
    A: { use: ./work.ts#A, on: { done: B } }
    B: { use: ./work.ts#B, on: { done: C } }
    C: { use: ./work.ts#C, on: { done: A } }
    way: { use: ./work.ts#way, on: { done: end } }
    end: { final: success }
  detect: { recurrence: false, stale: false, errors: false }
  escape: { alternatives: { C: [way] } }

start
2x call toolX {} -> x; node.done; call toolY {} !! HTTP 500; node.done; call toolZ {} -> z; node.done
----
7   failed   HTTP 500 [transient, resource, by http-transient]
19  failed   HTTP 500 [transient, resource, by http-transient]
in       A
pending  A#3
spent    6 steps, 6 toolCalls

call toolX {} -> x
----
27  found    loop (sequence): repeated-sequence calls=["toolX","toolY","toolZ"] times=2 ← call-failed call=toolY times=2 ← error message="HTTP 500" class=transient status=500
             period 3, 3 times, since 3, seen at 19 23 27, in A C B, burned 6 steps, 7 toolCalls
    escape   alternative C → way
in       way
pending  way#1
spent    7 steps, 7 toolCalls
lesson   repeated-sequence calls=["toolX","toolY","toolZ"] times=2 ← call-failed call=toolY times=2 ← error message="HTTP 500" class=transient status=500
