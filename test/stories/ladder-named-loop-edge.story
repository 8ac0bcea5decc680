# A `loop` edge on a node is its own way out of a loop, and keeps the loop's name in the lessons.

graph:
  nodes:
    B: { use: ./work.ts#b, on: { done: C } }
    C: { use: ./work.ts#c, on: { done: B, loop: D } }
    D: { use: pass, on: { done: end } }
    end: { final: success }

start
node.done; node.done; node.done; node.done
----
8   found    loop (recurrence): B → C and back 2 times, with the state unchanged
             period 2, 2 times, since 0, seen at 0 4 8, in B C, burned 4 steps
    escape   alternative C → D; not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place
in       D
pending  D#1
spent    4 steps
lesson   B → C and back 2 times, with the state unchanged

node.done
----
10  ended    success: goal, result {}
ended    success: goal
spent    5 steps
lesson   B → C and back 2 times, with the state unchanged
