# A state is entered five times within a minute, which the spec limits. Slower rounds do not count.

graph:
  channels: { n: { type: integer, default: 0 } }
  nodes:
    A: { use: pass, out: [n], on: { done: A } }
    end: { final: success }
  detect: { visits: 5, window: 1m }
  escape: { alternatives: { A: [end] } }

start
+30s
node.done {"n":1}; node.done {"n":2}
+40s
node.done {"n":3}; node.done {"n":4}
----
in       A
pending  A#5
spent    4 steps, 40s

node.done {"n":5}
----
10  found    loop (visits): frequent-state state=A times=5 seconds=60
             period 1, 5 times, since 2, seen at 2 4 6 8 10, in A, burned 5 steps, 40s
    escape   alternative A → end
    ended    success: goal, result {"n":5}
ended    success: goal
spent    5 steps, 40s
lesson   frequent-state state=A times=5 seconds=60
