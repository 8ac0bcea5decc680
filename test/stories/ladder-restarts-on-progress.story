# The first success of a write is progress and restarts the ladder, at most three times.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: act, loop: b } }
    b: { use: ./work.ts#b, on: { done: act } }
    end: { final: success }
  tools: { write: { use: flaky, effects: write } }
  detect: { recurrence: false, stale: false }
  escape: { ladder: [retry, alternative, review, stop], budget: { alternative: { perLoop: 1 } } }

start
3x call search {} -> nothing
node.done
call write {"n":1} -> ok; 3x call search {} -> nothing
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → b
18  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 14, seen at 18, in act, burned 3 toolCalls
    escape   alternative act → b
in       b
pending  b#2
spent    3 steps, 7 toolCalls
lesson   repeated-sequence calls=["search"] times=3

node.done; call write {"n":2} -> ok; 3x call search {} -> nothing
node.done; call write {"n":3} -> ok; 3x call search {} -> nothing
----
29  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 25, seen at 29, in act, burned 3 toolCalls
    escape   alternative act → b
40  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 36, seen at 40, in act, burned 3 toolCalls
    escape   alternative act → b
in       b
pending  b#4
spent    7 steps, 15 toolCalls
lesson   repeated-sequence calls=["search"] times=3

# The same write again is never progress. A new one is, but the restarts are spent.
node.done; call write {"n":4} -> ok; 3x call search {} -> nothing
----
51  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 47, seen at 51, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["search"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["search"] times=3
spent    9 steps, 19 toolCalls
lesson   repeated-sequence calls=["search"] times=3
