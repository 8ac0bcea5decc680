# A thread that escaped its loop and reached the goal is not evidence. The next thread escapes in the same way.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
  limits: { scopes: { job: { loops: 2 } } }
  escape: { alternatives: { work: [other] } }
world:
  nodes: { work: [call search, call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

drive
thread second
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
7   0s      tool.done        work#1/3 search → "nothing"  ⇒ other
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
            escape   alternative work → other
8   0s      turn.started     other#1
9   0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
thread   second
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
9   0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
