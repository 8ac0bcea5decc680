# A review concerns one region. The other continues before and after the answer, and is never entered again.

graph:
  tools: { search: { use: flaky } }
  nodes:
    handle:
      regions:
        left:
          start: look
          nodes:
            look: { use: tool, tool: search, on: { done: look, done.found: seen } }
            seen: { final: success }
        right:
          start: first
          nodes:
            first: { use: pass, on: { done: second } }
            second: { use: pass, on: { done: over } }
            over: { final: success }
      on: { done: end }
    end: { final: success }
  escape: { review: { deadline: 1h } }

start
3x call search {"q":"x"} -> nothing @look
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in look, burned 3 toolCalls
    escape   review of left in look
in       handle.left.review + right.first
pending  first#1, left.review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

node.done @first
----
in       handle.left.review + right.second
pending  left.review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h, second#1
spent    2 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

resume approved
----
in       handle.left.look + right.second
pending  second#1, look#2
spent    2 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

node.done @second; node.done @look label=found
----
14  ended    success: goal, result {}
ended    success: goal
spent    4 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
