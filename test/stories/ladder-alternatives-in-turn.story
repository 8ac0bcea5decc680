# Of several alternatives, the least recently used is taken. An alternative never leads back into the loop.

graph:
  nodes:
    plan: { use: pass, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: plan } }
    b: { use: pass, on: { done: plan } }
    c: { use: pass, on: { done: plan } }
    end: { final: success }
  detect: { sequence: false, repetition: false, stale: false }
  escape:
    alternatives: { act: [plan, b, c] }
    budget: { alternative: { perLoop: 9, total: 9 } }

start
4x node.done
----
8   found    loop (recurrence): repeated-state states=["plan","act"] times=2
             period 2, 2 times, since 0, seen at 0 4 8, in plan act, burned 4 steps
    escape   alternative act → b
in       b
pending  b#1
spent    4 steps
lesson   repeated-state states=["plan","act"] times=2

node.done; 4x node.done
----
18  found    loop (recurrence): repeated-state states=["plan","act"] times=2
             period 2, 2 times, since 10, seen at 10 14 18, in plan act, burned 5 steps
    escape   alternative act → c
in       c
pending  c#1
spent    9 steps
lesson   repeated-state states=["plan","act"] times=2

node.done; 4x node.done
----
28  found    loop (recurrence): repeated-state states=["plan","act"] times=2
             period 2, 2 times, since 20, seen at 20 24 28, in plan act, burned 5 steps
    escape   alternative act → b
in       b
pending  b#2
spent    14 steps
lesson   repeated-state states=["plan","act"] times=2
