# A rung that throws, one that leads to an unknown node, and one that does not apply: each reports why, and the ladder continues.

graph:
  parts: { rungs: [./parts.ts#shaky, ./parts.ts#lost, ./parts.ts#handover] }
  tools: { get: { use: flaky } }
  nodes:
    work: { use: tool, tool: get, on: { done: end } }
    end: { final: success }
  escape: { ladder: [shaky, lost, handover, stop] }

start
node.failed HTTP 401
----
2   failed   HTTP 401 [persistent, resource, by http-credentials]
    found    failure (persistent): node-failed node=work ← error message="HTTP 401" class=persistent status=401
             period 1, 1 times, since 2, seen at 2, in work, burned 1 steps
    escape   stop (failure.persistent)
    ended    stopped: failure.persistent because node-failed node=work ← error message="HTTP 401" class=persistent status=401, result {}
ended    stopped: failure.persistent because node-failed node=work ← error message="HTTP 401" class=persistent status=401
spent    1 steps
lesson   node-failed node=work ← error message="HTTP 401" class=persistent status=401
