# A region without any rung left stops the whole thread. All regions are left, whatever they are doing.

graph:
  tools: { search: { use: flaky } }
  nodes:
    handle:
      regions:
        left: { start: look, nodes: { look: { use: tool, tool: search, on: { done: look, done.found: seen } }, seen: { final: success } } }
        right: { start: page, nodes: { page: { use: pass, on: { done: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }

start
turn
3x call search {"q":"x"} -> nothing @look
----
8   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 4, seen at 8, in look, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["search"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["search"] times=3
spent    2 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
