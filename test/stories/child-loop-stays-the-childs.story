# The watchdog of the child finds a loop inside the child and escapes on the ladder of the child. Its parent sees only the end of the
# child.

graph:
  nodes:
    ask: { use: graph, graph: worker, on: { done: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      nodes:
        look: { use: tool, tool: search, on: { done: look, loop: other } }
        other: { use: pass, on: { done: good } }
        good: { final: success }
      tools: { search: { use: flaky } }
world:
  graphs: { worker: { tools: { search: { does: [answers nothing] } } } }

drive
show ask#1/1
----
0   0s      thread.started   {}
1   0s      turn.started     ask#1
2   0s      child.started    ask#1/1 worker may spend 99 steps
3   0s      child.done       ask#1/1 worker → success: goal {}
4   0s      node.done        ask#1 {}  ⇒ end
            ended    success: goal, result {}
  0   0s      thread.started   {}
  1   0s      turn.started     look#1
  2   0s      tool.called      look#1/1 search {}
  3   0s      tool.done        look#1/1 search → "nothing"
  4   0s      node.done        look#1 "nothing"  ⇒ look
  5   0s      turn.started     look#2
  6   0s      tool.called      look#2/1 search {}
  7   0s      tool.done        look#2/1 search → "nothing"
  8   0s      node.done        look#2 "nothing"  ⇒ look
  9   0s      turn.started     look#3
  10  0s      tool.called      look#3/1 search {}
  11  0s      tool.done        look#3/1 search → "nothing"  ⇒ other
              found    loop (sequence): repeated-sequence calls=["search"] times=3
                       period 1, 3 times, since 3, seen at 11, in look, burned 2 steps, 3 toolCalls
              escape   alternative look → other
  12  0s      turn.started     other#1
  13  0s      node.done        other#1 {}  ⇒ good
              ended    success: goal, result {}
child    ask#1/1 (worker): ended success: goal; spent 4 steps, 3 toolCalls; lesson repeated-sequence calls=["search"] times=3
ended    success: goal
spent    5 steps, 3 toolCalls
