# A node that `escape.explore` lists offers its own edges as alternatives: those that lead neither to an end nor back into the loop.

graph:
  nodes:
    plan: { use: pass, on: { done: act, error: broader } }
    act: { use: ./work.ts#act, on: { done: plan, done.enough: end, done.more: narrower } }
    broader: { use: pass, on: { done: plan } }
    narrower: { use: pass, on: { done: plan } }
    end: { final: success }
  detect: { sequence: false, repetition: false, stale: false }
  escape:
    explore: [act, plan]
    budget: { alternative: { perLoop: 9, total: 9 } }

start
4x node.done
----
8   found    loop (recurrence): repeated-state states=["plan","act"] times=2
             period 2, 2 times, since 0, seen at 0 4 8, in plan act, burned 4 steps
    escape   alternative plan → broader
in       broader
pending  broader#1
spent    4 steps
lesson   repeated-state states=["plan","act"] times=2

node.done; 4x node.done
----
18  found    loop (recurrence): repeated-state states=["plan","act"] times=2
             period 2, 2 times, since 10, seen at 10 14 18, in plan act, burned 5 steps
    escape   alternative act → narrower
in       narrower
pending  narrower#1
spent    9 steps
lesson   repeated-state states=["plan","act"] times=2

node.done; 4x node.done
----
28  found    loop (recurrence): repeated-state states=["plan","act"] times=2
             period 2, 2 times, since 20, seen at 20 24 28, in plan act, burned 5 steps
    escape   alternative plan → broader
in       broader
pending  broader#2
spent    14 steps
lesson   repeated-state states=["plan","act"] times=2
