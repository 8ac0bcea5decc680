# Observe mode does not change how a run ends. A failure without an edge ends it, and the ladder adds no route.

graph:
  mode: observe
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
  escape: { alternatives: { act: [other] } }

start
node.failed HTTP 401
----
2   failed   HTTP 401 [persistent, resource, by http-credentials]
    found    failure (persistent): node-failed node=act ← error message="HTTP 401" class=persistent status=401
             period 1, 1 times, since 2, seen at 2, in act, burned 1 steps
    escape   stop (failure.persistent)
    ended    stopped: failure.persistent because node-failed node=act ← error message="HTTP 401" class=persistent status=401, result {}
ended    stopped: failure.persistent because node-failed node=act ← error message="HTTP 401" class=persistent status=401
spent    1 steps
lesson   node-failed node=act ← error message="HTTP 401" class=persistent status=401

