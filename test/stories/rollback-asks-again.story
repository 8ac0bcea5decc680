# A rollback to a savepoint at which another region waited for a person asks the same question again, with its reasons and its remaining
# time. Its answer continues the region.

graph:
  channels: { log: { reducer: append, type: string } }
  tools: { search: { use: flaky }, read: { use: flaky } }
  progress: size(log)
  nodes:
    both:
      regions:
        left: { start: plan, nodes: { plan: { use: ./work.ts#plan, out: { log: . }, on: { done: look } }, look: { use: ./work.ts#seek, on: { done: look, done.found: seen } }, seen: { final: success } } }
        right: { start: page, nodes: { page: { use: tool, tool: read, on: { done: page, done.found: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
  escape: { ladder: [rollback, review, stop], review: { deadline: 1h } }

start
3x call read {"q":"x"} -> nothing @page
node.done "planned" @plan
3x call search {"q":"x"} -> nothing @look
----
7   found    loop (sequence): repeated-sequence calls=["read"] times=3
             period 1, 3 times, since 3, seen at 7, in page, burned 3 toolCalls
    escape   review of right in page
16  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 12, seen at 16, in look, burned 3 toolCalls
    escape   rollback from look to event 9
in       both.left.look + right.review
pending  rollback#1 to event 9
spent    3 steps, 6 toolCalls
lesson   repeated-sequence calls=["read"] times=3
lesson   repeated-sequence calls=["search"] times=3

rollback.done
----
in       both.left.look + right.review
pending  right.review#2 asks 'ask-route' because repeated-sequence calls=["read"] times=3 until 1h, look#2
spent    3 steps, 6 toolCalls
lesson   repeated-sequence calls=["read"] times=3
lesson   repeated-sequence calls=["search"] times=3

resume approved @right.review#2
----
in       both.left.look + right.page
pending  look#2, page#2
spent    3 steps, 6 toolCalls
lesson   repeated-sequence calls=["read"] times=3
lesson   repeated-sequence calls=["search"] times=3

