# One region is stuck while the children of a map in the other wait for people. Their effects are still unknown, so a rollback is not
# possible. The other region continues, and a child that is cancelled by hand is a partial failure.
graph:
  channels: { log: { reducer: append, type: string }, items: { type: array, default: [a, b] }, results: { default: null } }
  tools: { look: { use: flaky } }
  progress: size(log)
  nodes:
    plan: { use: ./work.ts#plan, out: { log: . }, on: { done: both } }
    both:
      regions:
        left: { start: seek, nodes: { seek: { use: ./work.ts#seek, on: { done: found } }, found: { final: success } } }
        right: { start: each, nodes: { each: { use: map, over: items, graph: worker, out: results, on: { done: posted, done.partial: posted } }, posted: { final: success } } }
      on: { done: end }
    end: { final: success }
  escape: { ladder: [rollback, review, stop], review: { deadline: 1h } }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: ask
      input: [item]
      channels: { item: {} }
      nodes:
        ask: { use: human, question: 'Ok?', deadline: 2h, on: { human.approved: good, human.rejected: bad, human.expired: bad } }
        good: { final: success }
        bad: { final: failure }
world:
  nodes: { plan: [returns planned], seek: [call look, call look, call look] }
  tools: { look: { does: [answers x, answers x, answers x, answers y, answers z] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      node.done        plan#1 "planned"  ⇒ both
3   0s      turn.started     seek#1
4   0s      turn.started     each#1
5   0s      child.started    each#1/1 worker item 1 of 2 may spend 32 steps
6   0s      child.started    each#1/2 worker item 2 of 2 may spend 32 steps (others are still out)
7   0s      tool.called      seek#1/1 look {}
8   0s      tool.done        seek#1/1 look → "x"
9   0s      tool.called      seek#1/2 look {}
10  0s      tool.done        seek#1/2 look → "x"
11  0s      child.waiting    each#1 rests on each#1/1, each#1/2
12  0s      tool.called      seek#1/3 look {}
13  0s      tool.done        seek#1/3 look → "x"  ⇒ both.left.review
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 8, seen at 13, in seek, burned 3 toolCalls
            escape   review of left in seek
child    each#1/1 (worker): in ask; pending ask#1 asks 'Ok?' until 2h; spent nothing
child    each#1/2 (worker): in ask; pending ask#1 asks 'Ok?' until 2h; spent nothing
in       both.left.review + right.each
pending  each#1 rests on each#1/1, left.review#1 asks 'ask-route' because repeated-sequence calls=["look"] times=3 until 1h
spent    3 steps, 3 toolCalls
lesson   repeated-sequence calls=["look"] times=3

submit resume approved @ask#1 in=each#1/1
drive child each#1/1
drive
----
14  0s      child.ended      each#1/1
15  0s      turn.started     each#1 by driver 2
16  0s      child.done       each#1/1 worker item 1 of 2 → success: goal {"item":"a"} (others are still out)
17  0s      child.waiting    each#1 rests on each#1/2
child    each#1/1 (worker): ended success: goal; spent 1 steps
in       both.left.review + right.each
pending  each#1 rests on each#1/2, left.review#1 asks 'ask-route' because repeated-sequence calls=["look"] times=3 until 1h
spent    4 steps, 3 toolCalls
lesson   repeated-sequence calls=["look"] times=3

submit cancel in=each#1/2
drive child each#1/2
drive
----
18  0s      child.ended      each#1/2
19  0s      turn.started     each#1 by driver 3
20  0s      child.done       each#1/2 worker item 2 of 2 → cancelled: cancelled {"item":"b"}
21  0s      node.done        each#1 {"results":[{"ok":true,"value":{"item":"a"}},{"ok":false,"reason":"cancelled: cancelled"}],"failed":1,"left":0} as partial  ⇒ posted
child    each#1/2 (worker): ended cancelled: cancelled; spent nothing
in       both.left.review + right.posted
pending  left.review#1 asks 'ask-route' because repeated-sequence calls=["look"] times=3 until 1h
spent    4 steps, 3 toolCalls
lesson   repeated-sequence calls=["look"] times=3

