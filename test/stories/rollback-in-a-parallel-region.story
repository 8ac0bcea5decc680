# A rollback applies to the whole thread: the other region is left, too, and both restart from the savepoint.

graph:
  channels: { log: { reducer: append, type: string } }
  progress: size(log)
  nodes:
    plan: { use: ./work.ts#plan, out: { log: . }, on: { done: both } }
    both:
      regions:
        left: { start: seek, nodes: { seek: { use: ./work.ts#seek, on: { done: seek } }, found: { final: success } } }
        right: { start: tell, nodes: { tell: { use: ./work.ts#tell, on: { done: posted } }, posted: { use: ./work.ts#posted, on: { done: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
  escape: { ladder: [rollback, stop] }

start
node.done "planned"
node.done {} @tell
3x call look {} -> nothing @seek
----
11  found    loop (sequence): repeated-sequence calls=["look"] times=3
             period 1, 3 times, since 7, seen at 11, in seek, burned 3 toolCalls
    escape   rollback from seek to event 2
in       both.left.seek + right.posted
pending  rollback#1 to event 2
spent    3 steps, 3 toolCalls
lesson   repeated-sequence calls=["look"] times=3

rollback.done
----
in       both.left.seek + right.tell
pending  seek#2, tell#2
spent    3 steps, 3 toolCalls
lesson   repeated-sequence calls=["look"] times=3

