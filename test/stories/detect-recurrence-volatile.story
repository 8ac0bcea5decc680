# A counter of attempts makes each lap look new. A volatile channel, or one listed in `ignore`, does not count.

graph:
  channels:
    attempt: { type: integer, default: 0, volatile: true }
    stamp: { type: integer, default: 0 }
  nodes:
    A: { use: pass, out: [attempt, stamp], on: { done: B } }
    B: { use: pass, on: { done: A } }
    end: { final: success }
  detect: { ignore: [context.stamp] }
  escape: { alternatives: { A: [end] } }

start
node.done {"attempt":1,"stamp":11}; node.done
node.done {"attempt":2,"stamp":22}
----
in       B
pending  B#2
spent    3 steps

node.done
----
8   found    loop (recurrence): repeated-state states=["A","B"] times=2
             period 2, 2 times, since 0, seen at 0 4 8, in A B, burned 4 steps
    escape   alternative A → end
    ended    success: goal, result {"attempt":2,"stamp":22}
ended    success: goal
spent    4 steps
lesson   repeated-state states=["A","B"] times=2
