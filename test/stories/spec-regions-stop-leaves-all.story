# A region that nobody can help any more stops the whole thread: all regions are left, whatever they were doing.

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
8   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 4, seen at 8, in look, burned 3 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    2 steps, 3 toolCalls
