# A graph of `pass` nodes repeats without a change. The third time in the same state with the same content is a loop.

graph:
  nodes:
    A: { use: pass, on: { done: B } }
    B: { use: pass, on: { done: A } }
    C: { use: pass, on: { done: end } }
    end: { final: success }
  escape: { alternatives: { B: [C] } }

start
3x node.done
----
in       B
pending  B#2
spent    3 steps

node.done
----
8   found    loop (recurrence): repeated-state states=["A","B"] times=2
             period 2, 2 times, since 0, seen at 0 4 8, in A B, burned 4 steps
    escape   alternative B → C
in       C
pending  C#1
spent    4 steps
lesson   repeated-state states=["A","B"] times=2
