# No process ran for 50 minutes, so both steps of the chain are due. The question moves to the later one in one event, and an answer in
# time is still accepted.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h, to: team, escalate: [{ to: lead, after: 15m }, { to: oncall, after: 45m }] } }
world:
  nodes: { work: [call search, call search, call search, returns found it] }
  tools: { search: { does: [answers nothing] } }

drive
later 50m
drive
submit resume rejected
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "nothing"
4   0s      tool.called      work#1/2 search {}
5   0s      tool.done        work#1/2 search → "nothing"
6   0s      tool.called      work#1/3 search {}
7   0s      tool.done        work#1/3 search → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
            escape   review in work
8   50m     tick             review#1
9   50m     resume           review#1 rejected  ⇒ stopped
            ended    stopped: review.rejected because review-rejected ← repeated-sequence calls=["search"] times=3, result {}
ended    stopped: review.rejected because review-rejected ← repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
