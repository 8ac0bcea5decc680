# An outcome without an edge becomes a finding, and the ladder selects an escape. A general `error` edge takes all remaining failures.

graph:
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    other: { use: ./work.ts#other, on: { done: end, error.transient: work, error: give } }
    give: { final: failure }
    end: { final: success }
  escape: { alternatives: { work: [other] } }

start
node.failed HTTP 401
----
2   failed   HTTP 401 [persistent, resource, by http-credentials]
    found    failure (persistent): node-failed node=work ← error message="HTTP 401" class=persistent status=401
             period 1, 1 times, since 2, seen at 2, in work, burned 1 steps
    escape   alternative work → other
in       other
pending  other#1
spent    1 steps
lesson   node-failed node=work ← error message="HTTP 401" class=persistent status=401

node.failed something odd
----
4   failed   something odd [unknown, resource, by none]
    ended    failure: failure, result {}
ended    failure: failure
spent    2 steps
lesson   node-failed node=work ← error message="HTTP 401" class=persistent status=401
