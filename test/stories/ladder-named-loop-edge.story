# A `loop` edge on a node is its own route out of a loop, and the lessons keep the name of the loop.

graph:
  nodes:
    B: { use: ./work.ts#b, on: { done: C } }
    C: { use: ./work.ts#c, on: { done: B, loop: D } }
    D: { use: pass, on: { done: end } }
    end: { final: success }

start
node.done; node.done; node.done; node.done
----
8   found    loop (recurrence): repeated-state states=["B","C"] times=2
             period 2, 2 times, since 0, seen at 0 4 8, in B C, burned 4 steps
    escape   alternative C → D
in       D
pending  D#1
spent    4 steps
lesson   repeated-state states=["B","C"] times=2

node.done
----
10  ended    success: goal, result {}
ended    success: goal
spent    5 steps
lesson   repeated-state states=["B","C"] times=2
