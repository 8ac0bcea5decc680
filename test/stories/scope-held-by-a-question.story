# While the third thread asks, no other begins. A new thread ends at once, without a call, and names the asking thread. The answer lets
# the next one begin.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: { loops: 2, key: nightly } } }
  escape: { review: { deadline: 2h } }
world:
  nodes: { work: [call search, call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

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
8   0s      resume           review#1 rejected  ⇒ stopped
            ended    stopped: review.rejected because review-rejected ← repeated-sequence calls=["search"] times=3, result {}
ended    stopped: review.rejected because review-rejected ← repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

later 1h
thread second
drive
----
thread   second
0   0s      thread.started   {}
1   0s      scope.noted      job (nightly) others spent nothing; q7avwbh8aj met by story
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {}
4   0s      tool.done        work#1/1 search → "nothing"
5   0s      tool.called      work#1/2 search {}
6   0s      tool.done        work#1/2 search → "nothing"
7   0s      tool.called      work#1/3 search {}
8   0s      tool.done        work#1/3 search → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 4, seen at 8, in work, burned 3 toolCalls
                     met before by story at 7, escaped by review
            escape   review in work
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 2h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

later 1h
thread third
drive
ledger
----
thread   third
0   0s      thread.started   {}
1   0s      scope.noted      job (nightly) others spent nothing; q7avwbh8aj met by story, second; held by second (review#1)  ⇒ stopped
            found    scope (held): scope-held scope=job key=nightly thread=second effect=review#1 ← repeated-sequence calls=["search"] times=3
                     period 1, 1 times, since 1, seen at 1, in work
            escape   stop (scope.held)
            ended    stopped: scope.held because scope-held scope=job key=nightly thread=second effect=review#1 ← repeated-sequence calls=["search"] times=3, result {}
ledger   search 6
ended    stopped: scope.held because scope-held scope=job key=nightly thread=second effect=review#1 ← repeated-sequence calls=["search"] times=3
spent    nothing
lesson   scope-held scope=job key=nightly thread=second effect=review#1 ← repeated-sequence calls=["search"] times=3

thread second
submit resume stop
drive
----
thread   second
9   1h      resume           review#1 stop  ⇒ stopped
            ended    stopped: review.stopped because review-stopped ← repeated-sequence calls=["search"] times=3, result {}
ended    stopped: review.stopped because review-stopped ← repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

thread fourth
drive
----
thread   fourth
0   0s      thread.started   {}
1   0s      scope.noted      job (nightly) others spent nothing; q7avwbh8aj met by story, second
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {}
4   0s      tool.done        work#1/1 search → "nothing"
5   0s      tool.called      work#1/2 search {}
6   0s      tool.done        work#1/2 search → "nothing"
7   0s      tool.called      work#1/3 search {}
8   0s      tool.done        work#1/3 search → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 4, seen at 8, in work, burned 3 toolCalls
                     met before by story at 7, escaped by review
                     met before by second at 8, escaped by review
            escape   review in work
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 2h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
