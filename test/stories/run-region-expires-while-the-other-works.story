# A question that one region asks during a long call of the other expires at its deadline, between two heartbeats.

graph:
  tools: { look: { use: flaky }, slow: { use: flaky } }
  nodes:
    both:
      regions:
        left:
          start: look
          nodes:
            look: { use: tool, tool: look, on: { done: ask } }
            ask: { use: human, question: 'Ok?', deadline: 1200ms, on: { human.approved: good, human.rejected: bad, human.expired: bad } }
            good: { final: success }
            bad: { final: success }
        right: { start: wait, nodes: { wait: { use: tool, tool: slow, on: { done: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
world: { tools: { look: { does: [after 100ms answers seen] }, slow: { does: [after 20s answers late] } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     look#1
2   0s      turn.started     wait#1
3   0s      tool.called      look#1/1 look {}
4   0s      tool.called      wait#1/1 slow {}
5   0.1s    tool.done        look#1/1 look → "seen"
6   0.1s    node.done        look#1 "seen"  ⇒ ask
7   1.3s    tick             ask#1  ⇒ bad
8   20s     tool.done        wait#1/1 slow → "late"
9   20s     node.done        wait#1 "late"  ⇒ over, end
            ended    success: goal, result {}
ended    success: goal
spent    3 steps, 2 toolCalls, 20s
