# Three calls in turn for the third time, spread over the nodes of a cycle. The loop consists of calls, whichever node makes them.

graph:
  nodes:
    plan: { use: pass, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: check } }
    check: { use: ./work.ts#check, on: { done: plan } }
    way: { use: ./work.ts#way, on: { done: end } }
    end: { final: success }
  detect: { recurrence: false, stale: false }
  escape: { alternatives: { check: [way] } }

start
2x node.done; call list {} -> a b; call read {"file":"a"} -> A; node.done; call test {} -> red; node.done
node.done
----
in       act
pending  act#3
spent    7 steps, 6 toolCalls

call list {} -> a b
----
29  found    loop (sequence): repeated-sequence calls=["list","read","test"] times=2
             period 3, 3 times, since 5, seen at 19 23 29, in act plan check, burned 6 steps, 7 toolCalls
    escape   alternative check → way
in       way
pending  way#1
spent    8 steps, 7 toolCalls
lesson   repeated-sequence calls=["list","read","test"] times=2
