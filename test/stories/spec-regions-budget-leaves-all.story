# A limit applies to the whole thread. Its edge is on the parent of the regions and leaves all of them.

graph:
  tools: { search: { use: flaky } }
  limits: { toolCalls: 2 }
  nodes:
    handle:
      regions:
        left: { start: look, nodes: { look: { use: tool, tool: search, on: { done: seen } }, seen: { final: success } } }
        right: { start: page, nodes: { page: { use: pass, on: { done: over } }, over: { final: success } } }
      on: { done: end, budget: short }
    short: { use: pass, on: { done: end } }
    end: { final: success }

start
turn
call search {"q":1} -> one @look; call search {"q":2} -> two @look
tool.called search {"q":3} @look
----
7   found    budget (toolCalls): limit-reached unit=toolCalls limit=2 of=thread
             period 1, 1 times, since 1, seen at 7, in look, burned 2 steps, 2 toolCalls
    escape   alternative of left look → short
in       short
pending  short#1
spent    2 steps, 2 toolCalls
lesson   limit-reached unit=toolCalls limit=2 of=thread

node.done @short
----
9   ended    success: goal, result {}
ended    success: goal
spent    3 steps, 2 toolCalls
lesson   limit-reached unit=toolCalls limit=2 of=thread
