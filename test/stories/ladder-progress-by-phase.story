# The first entry of a node tagged `phase` is progress. Later it is an ordinary node.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: ship, loop: b } }
    ship: { use: pass, phase: true, on: { done: act } }
    b: { use: pass, on: { done: act } }
    end: { final: success }
  detect: { recurrence: false, stale: false }
  escape: { ladder: [retry, alternative, review, stop], budget: { alternative: { perLoop: 1 } } }

start
3x call search {} -> nothing
node.done; node.done; node.done
3x call search {} -> nothing
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → b
20  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 16, seen at 20, in act, burned 3 toolCalls
    escape   alternative act → b
in       b
pending  b#2
spent    5 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3

node.done; node.done; node.done
3x call search {} -> nothing
----
33  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 29, seen at 33, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["search"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["search"] times=3
spent    9 steps, 9 toolCalls
lesson   repeated-sequence calls=["search"] times=3
