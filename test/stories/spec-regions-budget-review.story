# A limit that a person is asked about leaves all regions, too. Sent back into one of them, the thread enters all of them anew.

graph:
  tools: { search: { use: flaky } }
  limits: { toolCalls: 2 }
  nodes:
    handle:
      regions:
        left: { start: look, nodes: { look: { use: tool, tool: search, on: { done: again } }, again: { use: tool, tool: search, on: { done: seen } }, seen: { final: success } } }
        right: { start: page, nodes: { page: { use: pass, on: { done: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
  escape: { review: { deadline: 1h } }

start
turn
call search {"q":1} -> one @look; node.done @look
call search {"q":2} -> two @again; tool.called search {"q":3} @again
----
9   found    budget (toolCalls): the limit of 2 toolCalls is reached
             period 1, 1 times, since 1, seen at 9, in again, burned 3 steps, 2 toolCalls
    escape   review of left in again; not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing
in       review
pending  review#1 asks 'The agent is stuck. How should it go on?' because the limit of 2 toolCalls is reached until 1h
spent    3 steps, 2 toolCalls
lesson   the limit of 2 toolCalls is reached

resume approved
----
in       handle.left.again + right.page
pending  again#2, page#2
spent    3 steps, 2 toolCalls
lesson   the limit of 2 toolCalls is reached
