# Both regions are stuck, and each asks for itself: two questions are open, under ids of their own, and are answered one by one.

graph:
  tools: { search: { use: flaky }, read: { use: flaky } }
  nodes:
    handle:
      regions:
        left: { start: look, nodes: { look: { use: tool, tool: search, on: { done: look, done.found: seen } }, seen: { final: success } } }
        right: { start: page, nodes: { page: { use: tool, tool: read, on: { done: page, done.found: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
  escape: { review: { deadline: 1h } }

start
3x call search {"q":"x"} -> nothing @look
3x call read {"q":"x"} -> nothing @page
----
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in look, burned 3 toolCalls
    escape   review of left in look; not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to
14  found    loop (sequence): read 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 10, seen at 14, in page, burned 3 toolCalls
    escape   review of right in page; not retry: the ladder is past it; not rethink: the ladder is past it; not substitute: the ladder is past it; not alternative: the ladder is past it; not rollback: the ladder is past it
in       handle.left.review + right.review
pending  left.review#1 asks 'The agent is stuck. How should it go on?' because search 3 times over, with the same arguments and nothing new in the answers until 1h, right.review#1 asks 'The agent is stuck. How should it go on?' because read 3 times over, with the same arguments and nothing new in the answers until 1h
spent    2 steps, 6 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
lesson   read 3 times over, with the same arguments and nothing new in the answers

resume approved @right.review#1
----
in       handle.left.review + right.page
pending  left.review#1 asks 'The agent is stuck. How should it go on?' because search 3 times over, with the same arguments and nothing new in the answers until 1h, page#2
spent    2 steps, 6 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
lesson   read 3 times over, with the same arguments and nothing new in the answers

resume rejected @left.review#1
----
16  ended    stopped: review.rejected, result {}
ended    stopped: review.rejected
spent    2 steps, 6 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
lesson   read 3 times over, with the same arguments and nothing new in the answers
