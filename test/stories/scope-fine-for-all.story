# A loop that a person dismisses in one thread is dismissed in later threads of its scope.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: {} } }
  escape: { review: { deadline: 1h } }
world:
  nodes: { work: [call search, call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

drive
submit resume dismiss
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
8   0s      resume           review#1 dismiss  ⇒ work
9   0s      turn.started     work#2 by driver 2
10  0s      tool.called      work#2/1 search {}
11  0s      tool.done        work#2/1 search → "nothing"
12  0s      tool.called      work#2/2 search {}
13  0s      tool.done        work#2/2 search → "nothing"
14  0s      tool.called      work#2/3 search {}
15  0s      tool.done        work#2/3 search → "nothing"
16  0s      tool.called      work#2/4 search {}
17  0s      tool.done        work#2/4 search → "nothing"
18  0s      node.done        work#2 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 7 toolCalls
lesson   repeated-sequence calls=["search"] times=3

thread second
drive
----
thread   second
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent nothing; q7avwbh8aj is dismissed
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 search {}
4   0s      tool.done        work#1/1 search → "nothing"
5   0s      tool.called      work#1/2 search {}
6   0s      tool.done        work#1/2 search → "nothing"
7   0s      tool.called      work#1/3 search {}
8   0s      tool.done        work#1/3 search → "nothing"
9   0s      tool.called      work#1/4 search {}
10  0s      tool.done        work#1/4 search → "nothing"
11  0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 4 toolCalls
