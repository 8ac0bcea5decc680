# A node keeps its own settings however it is entered, also by an escape.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end, loop: poll } }
    poll: { use: ./work.ts#poll, detect: { sequence: false, repetition: false, stale: false }, on: { done: end } }
    end: { final: success }

start
3x call search {} -> nothing
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → poll
in       poll
pending  poll#1
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

6x call status {} -> pending
----
in       poll
pending  poll#1
spent    2 steps, 9 toolCalls
lesson   repeated-sequence calls=["search"] times=3
