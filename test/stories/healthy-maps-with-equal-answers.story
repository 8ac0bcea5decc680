# The items of one map may all answer the same, and so may those of a second map over other items.

graph:
  channels: { items: { type: array, default: [a, b, c, d, e, f] }, more: { type: array, default: [g, h, i, j, k, l] } }
  nodes:
    each: { use: map, over: items, graph: worker, on: { done: others } }
    others: { use: map, over: more, as: item, graph: worker, on: { done: end } }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      input: [item]
      channels: { item: {}, found: { default: null } }
      nodes:
        look: { use: tool, tool: search, in: [item], out: found, on: { done: good } }
        good: { final: success }
      tools: { search: { use: flaky } }
      output: [found]
world:
  graphs: { worker: { tools: { search: { does: [answers There is nothing in the archive that answers this question.] } } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     each#1
2   0s      child.started    each#1/1 worker item 1 of 6 may spend 24 steps
3   0s      child.started    each#1/2 worker item 2 of 6 may spend 25 steps (others are still out)
4   0s      child.started    each#1/3 worker item 3 of 6 may spend 25 steps (others are still out)
5   0s      child.started    each#1/4 worker item 4 of 6 may spend 25 steps (others are still out)
6   0s      child.done       each#1/1 worker item 1 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."} (others are still out)
7   0s      child.done       each#1/2 worker item 2 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."} (others are still out)
8   0s      child.done       each#1/3 worker item 3 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."} (others are still out)
9   0s      child.started    each#1/5 worker item 5 of 6 may spend 71 steps (others are still out)
10  0s      child.done       each#1/4 worker item 4 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."} (others are still out)
11  0s      child.started    each#1/6 worker item 6 of 6 may spend 24 steps (others are still out)
12  0s      child.done       each#1/5 worker item 5 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."} (others are still out)
13  0s      child.done       each#1/6 worker item 6 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."}
14  0s      node.done        each#1 {"results":[{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}},{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}},{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}},{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}},{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}},{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}}],"failed":0,"left":0}  ⇒ others
15  0s      turn.started     others#1
16  0s      child.started    others#1/1 worker item 1 of 6 may spend 23 steps
17  0s      child.started    others#1/2 worker item 2 of 6 may spend 23 steps (others are still out)
18  0s      child.started    others#1/3 worker item 3 of 6 may spend 23 steps (others are still out)
19  0s      child.started    others#1/4 worker item 4 of 6 may spend 23 steps (others are still out)
20  0s      child.done       others#1/1 worker item 1 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."} (others are still out)
21  0s      child.done       others#1/2 worker item 2 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."} (others are still out)
22  0s      child.done       others#1/3 worker item 3 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."} (others are still out)
23  0s      child.started    others#1/5 worker item 5 of 6 may spend 66 steps (others are still out)
24  0s      child.done       others#1/4 worker item 4 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."} (others are still out)
25  0s      child.started    others#1/6 worker item 6 of 6 may spend 22 steps (others are still out)
26  0s      child.done       others#1/5 worker item 5 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."} (others are still out)
27  0s      child.done       others#1/6 worker item 6 of 6 → success: goal {"found":"There is nothing in the archive that answers this question."}
28  0s      node.done        others#1 {"results":[{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}},{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}},{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}},{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}},{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}},{"ok":true,"value":{"found":"There is nothing in the archive that answers this question."}}],"failed":0,"left":0}  ⇒ end
            ended    success: goal, result {"items":["a","b","c","d","e","f"],"more":["g","h","i","j","k","l"]}
child    each#1/1 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    each#1/2 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    each#1/3 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    each#1/4 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    each#1/5 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    each#1/6 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    others#1/1 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    others#1/2 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    others#1/3 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    others#1/4 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    others#1/5 (worker): ended success: goal; spent 1 steps, 1 toolCalls
child    others#1/6 (worker): ended success: goal; spent 1 steps, 1 toolCalls
ended    success: goal
spent    14 steps, 12 toolCalls
