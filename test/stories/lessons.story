# Each failed attempt is kept once as a lesson for the model.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: act, loop: b } }
    b: { use: pass, on: { done: act } }
    end: { final: success }
  detect: { recurrence: false, stale: false }
  escape: { budget: { alternative: { perLoop: 3 } } }

start
3x call search {"q":"x"} -> nothing
node.done
3x call search {"q":"x"} -> nothing
node.done
3x call grep {"q":"x"} -> nothing
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → b
16  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 12, seen at 16, in act, burned 3 toolCalls
    escape   alternative act → b
25  found    loop (sequence): repeated-sequence calls=["grep"] times=3
             period 1, 3 times, since 21, seen at 25, in act, burned 3 toolCalls
    escape   alternative act → b
in       b
pending  b#3
spent    5 steps, 9 toolCalls
lesson   repeated-sequence calls=["search"] times=3
lesson   repeated-sequence calls=["grep"] times=3
