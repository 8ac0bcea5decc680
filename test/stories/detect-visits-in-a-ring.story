# Each state has its own memory, so a ring of four states supports a number above a quarter of any shared memory.

graph:
  channels: { n: { type: integer, default: 0 } }
  nodes:
    A: { use: pass, out: [n], on: { done: B } }
    B: { use: pass, on: { done: C } }
    C: { use: pass, on: { done: D } }
    D: { use: pass, on: { done: A } }
    end: { final: success }
  detect: { visits: 20, window: 1h, recurrence: false }
  escape: { alternatives: { A: [end] } }
  limits: { steps: 200 }

start
18x node.done {"n":1}; node.done {}; node.done {}; node.done {}
node.done {"n":1}; node.done {}; node.done {}
----
in       D
pending  D#19
spent    75 steps

node.done {}
----
152 found    loop (visits): frequent-state state=A times=20 seconds=3600
             period 1, 20 times, since 0, seen at 64 72 80 88 96 104 112 120 128 136 144 152, in A D C B, burned 24 steps
    escape   alternative A → end
    ended    success: goal, result {"n":1}
ended    success: goal
spent    76 steps
lesson   frequent-state state=A times=20 seconds=3600
