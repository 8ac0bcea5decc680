# One region waits for confirmation while the other is in a long call. The answer arrives during that call and takes effect at once: a
# region waits only for itself.

graph:
  tools: { pay: { use: flaky, effects: write, confirm: always }, slow: { use: flaky } }
  nodes:
    both:
      regions:
        left: { start: buy, nodes: { buy: { use: tool, tool: pay, on: { done: bought } }, bought: { final: success } } }
        right: { start: wait, nodes: { wait: { use: tool, tool: slow, on: { done: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
world: { tools: { pay: { does: [answers paid] }, slow: { does: [after 20s answers late] } } }

after 5s submit resume approved @buy#1/1?
drive
----
0   0s      thread.started   {}
1   0s      turn.started     buy#1
2   0s      turn.started     wait#1
3   0s      call.proposed    buy#1/1 pay {}
4   0s      tool.called      wait#1/1 slow {}
5   5s      resume           buy#1/1? approved
6   5s      turn.started     buy#1
7   5s      tool.called      buy#1/1 pay {}
8   5s      tool.done        buy#1/1 pay → "paid"
9   5s      node.done        buy#1 "paid"  ⇒ bought
10  20s     tool.done        wait#1/1 slow → "late"
11  20s     node.done        wait#1 "late"  ⇒ over, end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 2 toolCalls, 20s
