# A cancel applies to the whole thread. It takes the edge on the parent of the regions and leaves both.

graph:
  nodes:
    handle:
      regions:
        left: { start: look, nodes: { look: { use: pass, on: { done: seen } }, seen: { final: success } } }
        right: { start: page, nodes: { page: { use: pass, on: { done: over } }, over: { final: success } } }
      on: { done: end, cancelled: tidy }
    tidy: { use: pass, on: { done: failed } }
    end: { final: success }
    failed: { final: failure }

start
turn
cancel enough
----
in       tidy
pending  tidy#1
spent    2 steps

node.done @tidy
----
5   ended    failure: failure, result {}
ended    failure: failure
spent    3 steps
