# The first thread still asks when the third would begin. It does not begin, and does not ask a second time. After the question expires,
# the next thread asks again.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: {} } }
  escape: { review: { deadline: 150m } }
world:
  nodes: { work: [call search, call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

drive
later 1h
thread second
drive
later 1h
thread third
drive
----
thread   story
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
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 2h30m
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
thread   second
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent nothing; q7avwbh8aj met by story
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {}
4   0s      tool.done        work#1/1 search → "nothing"
5   0s      tool.called      work#1/2 search {}
6   0s      tool.done        work#1/2 search → "nothing"
7   0s      tool.called      work#1/3 search {}
8   0s      tool.done        work#1/3 search → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 4, seen at 8, in work, burned 3 toolCalls
                     met before by story at 7, escaped by review
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["search"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
thread   third
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent nothing; q7avwbh8aj met by story, second; held by story (review#1)  ⇒ stopped
            found    scope (held): scope-held scope=job key=story thread=story effect=review#1 ← repeated-sequence calls=["search"] times=3
                     period 1, 1 times, since 1, seen at 1, in work
            escape   stop (scope.held)
            ended    stopped: scope.held because scope-held scope=job key=story thread=story effect=review#1 ← repeated-sequence calls=["search"] times=3, result {}
ended    stopped: scope.held because scope-held scope=job key=story thread=story effect=review#1 ← repeated-sequence calls=["search"] times=3
spent    nothing
lesson   scope-held scope=job key=story thread=story effect=review#1 ← repeated-sequence calls=["search"] times=3

later 1h
thread fourth
drive
----
thread   fourth
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent nothing; q7avwbh8aj met by story, second
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
                     met before by second at 8, escaped by stop
            escape   review in work
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 2h30m
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
