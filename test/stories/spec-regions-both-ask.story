# Both regions are stuck, and each asks for itself. Two questions are open under separate ids and are answered one by one.

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
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in look, burned 3 toolCalls
    escape   review of left in look
14  found    loop (sequence): repeated-sequence calls=["read"] times=3
             period 1, 3 times, since 10, seen at 14, in page, burned 3 toolCalls
    escape   review of right in page
in       handle.left.review + right.review
pending  left.review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h, right.review#1 asks 'ask-route' because repeated-sequence calls=["read"] times=3 until 1h
spent    2 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3
lesson   repeated-sequence calls=["read"] times=3

resume approved @right.review#1
----
in       handle.left.review + right.page
pending  left.review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h, page#2
spent    2 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3
lesson   repeated-sequence calls=["read"] times=3

resume rejected @left.review#1
----
16  ended    stopped: review.rejected because review-rejected ← repeated-sequence calls=["search"] times=3, result {}
ended    stopped: review.rejected because review-rejected ← repeated-sequence calls=["search"] times=3
spent    2 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3
lesson   repeated-sequence calls=["read"] times=3
