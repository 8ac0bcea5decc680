# One region ends in a failure without an edge for it. The regions are done as usual.

graph:
  tools: { mend: { use: flaky } }
  nodes:
    handle:
      regions:
        repair: { start: mend, nodes: { mend: { use: tool, tool: mend, on: { done: mended, error: broken } }, mended: { final: success }, broken: { final: failure } } }
        tell: { start: page, nodes: { page: { use: pass, on: { done: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }

start
node.failed @mend HTTP 401; node.done @page
----
2   failed   HTTP 401 [persistent, resource, by http-credentials]
4   ended    success: goal, result {}
ended    success: goal
spent    2 steps
