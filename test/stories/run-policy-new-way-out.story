# A policy change adds a route while the thread runs, and the next finding takes it.

graph:
  tools: { search: { use: flaky } }
  nodes:
    ask: { use: human, question: Go on?, deadline: 1d, on: { human.approved: work } }
    work: { use: ./work.ts#work, on: { done: end } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: [call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

drive
submit policy.change {"escape":{"alternatives":{"work":["other"]}}}
submit resume approved @ask#1
drive
----
0   0s      thread.started   {}
1   0s      policy.changed   {"escape":{"alternatives":{"work":["other"]}}}
2   0s      resume           ask#1 approved  ⇒ work
3   0s      turn.started     work#1 by driver 2
4   0s      tool.called      work#1/1 search {}
5   0s      tool.done        work#1/1 search → "nothing"
6   0s      tool.called      work#1/2 search {}
7   0s      tool.done        work#1/2 search → "nothing"
8   0s      tool.called      work#1/3 search {}
9   0s      tool.done        work#1/3 search → "nothing"  ⇒ other
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 5, seen at 9, in work, burned 3 toolCalls
            escape   alternative work → other
10  0s      turn.started     other#1 by driver 2
11  0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    3 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
