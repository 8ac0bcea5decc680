# The deadline passed while no process ran. The next process applies the default exactly once, and a later decision is refused.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h } }
world:
  nodes: { work: [call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

drive
later 2h
submit resume approved to=work
drive
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
8   2h      tick             review#1  ⇒ stopped
            ended    stopped: review.expired because review-expired ← repeated-sequence calls=["search"] times=3, result {}
refused  question-expired question=review#1
ended    stopped: review.expired because review-expired ← repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
