# Progress can be declared as a measure. A new maximum restarts the ladder.

graph:
  channels: { done: { type: integer, default: 0 } }
  nodes:
    act: { use: ./work.ts#act, out: [done], on: { done: act, loop: b } }
    b: { use: pass, on: { done: act } }
    end: { final: success }
  progress: done
  detect: { recurrence: false, stale: false }
  escape: { ladder: [retry, alternative, review, stop], budget: { alternative: { perLoop: 1 } } }

start
3x call search {} -> nothing
node.done
node.done {"done":1}
3x call search {} -> nothing
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → b
18  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 14, seen at 18, in act, burned 3 toolCalls
    escape   alternative act → b
in       b
pending  b#2
spent    4 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3

# A drop and a return to the old maximum is not progress.
node.done; node.done {"done":0}; node.done {"done":1}
3x call search {} -> nothing
----
31  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 27, seen at 31, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["search"] times=3, result {"done":1}
ended    stopped: loop because repeated-sequence calls=["search"] times=3
spent    8 steps, 9 toolCalls
lesson   repeated-sequence calls=["search"] times=3
