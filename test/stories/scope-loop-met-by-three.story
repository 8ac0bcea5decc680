# A job that starts every hour meets the same loop. The third thread asks a person at once, and shows what the earlier ones met.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    other: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: { per: 1d } } }
  escape: { ladder: [alternative, review, stop], alternatives: { work: [other] }, review: { deadline: 10m } }
world:
  nodes: { work: [call search, call search, call search, call search], other: [call search, call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "nothing"
4   0s      tool.called      work#1/2 search {}
5   0s      tool.done        work#1/2 search → "nothing"
6   0s      tool.called      work#1/3 search {}
7   0s      tool.done        work#1/3 search → "nothing"  ⇒ other
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
            escape   alternative work → other
8   0s      turn.started     other#1
9   0s      tool.called      other#1/1 search {}
10  0s      tool.done        other#1/1 search → "nothing"
11  0s      tool.called      other#1/2 search {}
12  0s      tool.done        other#1/2 search → "nothing"
13  0s      tool.called      other#1/3 search {}
14  0s      tool.done        other#1/3 search → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 10, seen at 14, in other, burned 3 toolCalls
            escape   review in other
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 10m
spent    2 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3

later 1h
thread second
drive
----
thread   second
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent nothing; q7avwbh8aj met by story
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {}
4   0s      tool.done        work#1/1 search → "nothing"
5   0s      tool.called      work#1/2 search {}
6   0s      tool.done        work#1/2 search → "nothing"
7   0s      tool.called      work#1/3 search {}
8   0s      tool.done        work#1/3 search → "nothing"  ⇒ other
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 4, seen at 8, in work, burned 3 toolCalls
                     met before by story at 14, escaped by alternative, review
            escape   alternative work → other
9   0s      turn.started     other#1
10  0s      tool.called      other#1/1 search {}
11  0s      tool.done        other#1/1 search → "nothing"
12  0s      tool.called      other#1/2 search {}
13  0s      tool.done        other#1/2 search → "nothing"
14  0s      tool.called      other#1/3 search {}
15  0s      tool.done        other#1/3 search → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 11, seen at 15, in other, burned 3 toolCalls
                     met before by story at 14, escaped by alternative, review
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["search"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["search"] times=3
spent    2 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3

later 1h
thread third
drive
----
thread   third
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
                     met before by story at 14, escaped by alternative, review
                     met before by second at 15, escaped by alternative, stop
            escape   review in work
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 10m
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
