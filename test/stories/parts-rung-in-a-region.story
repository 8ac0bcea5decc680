# A custom rung leaves only the region of the loop, and cannot choose a node of another region.

graph:
  parts: { rungs: [./parts.ts#handover] }
  tools: { search: { use: flaky }, read: { use: flaky } }
  nodes:
    both:
      regions:
        left: { start: look, nodes: { look: { use: tool, tool: search, on: { done: seen } }, specialist: { use: pass, on: { done: seen } }, seen: { final: success } } }
        right: { start: page, nodes: { page: { use: tool, tool: read, on: { done: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
  escape: { ladder: [handover, review, stop], review: { deadline: 1h } }

start
3x call search {"q":"x"} -> nothing @look
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in look, burned 3 toolCalls
    escape   alternative of left look → specialist by handover
in       both.left.specialist + right.page
pending  page#1, specialist#1
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

3x call read {"q":"x"} -> nothing @page
----
14  found    loop (sequence): repeated-sequence calls=["read"] times=3
             period 1, 3 times, since 10, seen at 14, in page, burned 3 toolCalls
    escape   review of right in page
in       both.left.specialist + right.review
pending  specialist#1, right.review#1 asks 'ask-route' because repeated-sequence calls=["read"] times=3 until 1h
spent    2 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3
lesson   repeated-sequence calls=["read"] times=3
