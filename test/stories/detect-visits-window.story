# Only visits within the time window count: at its end, and not a moment after it. The window can be changed at run time.

graph:
  channels: { n: { type: integer, default: 0 } }
  nodes:
    A: { use: pass, out: [n], on: { done: A } }
    end: { final: success }
  detect: { visits: 3, window: 10s }
  escape: { alternatives: { A: [end] } }

# Three visits in 10.001 s are too slow.
start
+5s
node.done {"n":1}
+5.001s
node.done {"n":2}
----
in       A
pending  A#3
spent    2 steps, 5s

# The window is shorter now: three visits in 10 s are too slow.
policy.changed {"detect":{"visits":{"max":3,"window":5000}}}
+4.999s
node.done {"n":3}
----
in       A
pending  A#4
spent    3 steps, 10s

# And longer: three visits in exactly 10.001 s count.
policy.changed {"detect":{"visits":{"max":3,"window":10001}}}
+5.002s
node.done {"n":4}
----
10  found    loop (visits): frequent-state state=A times=3 seconds=10
             period 1, 3 times, since 4, seen at 4 7 10, in A, burned 3 steps, 15s
    escape   alternative A → end
    ended    success: goal, result {"n":4}
ended    success: goal
spent    4 steps, 15s
lesson   frequent-state state=A times=3 seconds=10

