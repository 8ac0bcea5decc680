# A rollback to a savepoint at which another region rethought lets that region rethink again.

graph:
  models: { fast: { id: small, smarter: smart }, smart: { id: large } }
  channels: { log: { reducer: append, type: string } }
  tools: { search: { use: flaky }, read: { use: flaky } }
  progress: size(log)
  nodes:
    both:
      regions:
        left: { start: note, nodes: { note: { use: ./work.ts#plan, out: { log: . }, on: { done: look } }, look: { use: ./work.ts#seek, on: { done: look, done.found: seen } }, seen: { final: success } } }
        right: { start: plan, nodes: { plan: { use: model, model: fast, on: { done: act, done.answer: over } }, act: { use: tool, tool: read, on: { done: plan } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
  escape: { ladder: [rethink, rollback, stop] }

start
node.done @plan
3x call read {"q":"x"} -> nothing @act
node.done "noted" @note
3x call search {"q":"x"} -> nothing @look
rollback.done
----
9   found    loop (sequence): repeated-sequence calls=["read"] times=3
             period 1, 3 times, since 5, seen at 9, in act, burned 3 toolCalls
    escape   rethink of right act → plan
18  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 14, seen at 18, in look, burned 3 toolCalls
    escape   rollback from look to event 11
in       both.left.look + right.plan
pending  plan#3 thinking again, look#2
spent    4 steps, 6 toolCalls
lesson   repeated-sequence calls=["read"] times=3
lesson   repeated-sequence calls=["search"] times=3
