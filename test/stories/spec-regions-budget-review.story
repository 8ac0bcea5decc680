# A review of a limit also leaves all regions. When a person continues in one of them, the thread enters all of them again.

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
9   found    budget (toolCalls): limit-reached unit=toolCalls limit=2 of=thread
             period 1, 1 times, since 1, seen at 9, in again, burned 3 steps, 2 toolCalls
    escape   review of left in again
in       review
pending  review#1 asks 'ask-route' because limit-reached unit=toolCalls limit=2 of=thread until 1h
spent    3 steps, 2 toolCalls
lesson   limit-reached unit=toolCalls limit=2 of=thread

resume approved
----
in       handle.left.again + right.page
pending  again#2, page#2
spent    3 steps, 2 toolCalls
lesson   limit-reached unit=toolCalls limit=2 of=thread
