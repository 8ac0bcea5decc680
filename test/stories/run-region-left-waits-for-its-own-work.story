# The watchdog moves one region out of its loop after the active call is abandoned. That call is a write and ignores its signal. The next work in the
# region waits for it at most five seconds. The other region continues all the time.

graph:
  tools: { deaf: { use: flaky, effects: write, idempotent: true }, quick: { use: flaky }, same: { use: flaky } }
  nodes:
    both:
      regions:
        left: { start: ask, nodes: { ask: { use: ./work.ts#ask, on: { done: asked, loop: other } }, other: { use: pass, on: { done: asked } }, asked: { final: success } } }
        right: { start: one, nodes: { one: { use: tool, tool: quick, on: { done: two } }, two: { use: tool, tool: quick, on: { done: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
world:
  nodes: { ask: [call same, call same, 'together deaf & after 1s same'] }
  tools: { deaf: { does: [ignores the signal 60s answers late] }, quick: { does: [after 2s answers soon] }, same: { does: [answers nothing] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     ask#1
2   0s      turn.started     one#1
3   0s      tool.called      ask#1/1 same {}
4   0s      tool.called      one#1/1 quick {}
5   0s      tool.done        ask#1/1 same → "nothing"
6   0s      tool.called      ask#1/2 same {}
7   0s      tool.done        ask#1/2 same → "nothing"
8   0s      tool.called      ask#1/3 deaf {}
9   1s      tool.called      ask#1/4 same {} (others are still out)
10  1s      tool.done        ask#1/4 same → "nothing" (others are still out)
            found    loop (sequence): repeated-sequence calls=["same"] times=3
                     period 1, 3 times, since 5, seen at 10, in ask, burned 4 toolCalls, 1s
11  2s      tool.done        one#1/1 quick → "soon"
12  2s      node.done        one#1 "soon"  ⇒ two
13  2s      turn.started     two#1
14  2s      tool.called      two#1/1 quick {}
15  4s      tool.done        two#1/1 quick → "soon"
16  4s      node.done        two#1 "soon"  ⇒ over
17  30s     tool.failed      ask#1/3 deaf attempt 1: TimeoutError: no-answer ms=30000 [transient, resource, by timeout], not for good  ⇒ other
            escape   alternative of left ask → other
18  35s     turn.started     other#1
19  35s     node.done        other#1 {}  ⇒ asked, end
            ended    success: goal, result {}
ended    success: goal
spent    4 steps, 6 toolCalls, 35s
lesson   repeated-sequence calls=["same"] times=3
