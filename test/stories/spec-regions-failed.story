# One region ends in a failure. The others continue, and the edge for a failed region is taken when the last has ended.

graph:
  tools: { mend: { use: flaky } }
  nodes:
    handle:
      regions:
        repair: { start: mend, nodes: { mend: { use: tool, tool: mend, on: { done: mended, error: broken } }, mended: { final: success }, broken: { final: failure } } }
        tell: { start: page, nodes: { page: { use: pass, on: { done: over } }, over: { final: success } } }
      on: { done: end, done.failed: sorry }
    sorry: { use: pass, on: { done: failed } }
    end: { final: success }
    failed: { final: failure }

start
node.failed @mend HTTP 401
----
2   failed   HTTP 401 [persistent, resource, by http-credentials]
in       handle.repair.broken + tell.page
pending  page#1
spent    1 steps

node.done @page
----
in       sorry
pending  sorry#1
spent    2 steps
