# A policy change switches a thread to observe mode. The next loop is reported without an escape.

graph:
  tools: { search: { use: flaky } }
  nodes:
    ask: { use: human, question: Go on?, deadline: 1d, on: { human.approved: work } }
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: [call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

drive
submit policy.change {"mode":"observe","failures":{"rules":[{"id":"quota","message":"quota","class":"persistent"}]}}
submit resume approved @ask#1
drive
----
0   0s      thread.started   {}
1   0s      policy.changed   {"mode":"observe","failures":{"rules":[{"id":"quota","message":"quota","class":"persistent"}]}}
2   0s      resume           ask#1 approved  ⇒ work
3   0s      turn.started     work#1 by driver 2
4   0s      tool.called      work#1/1 search {}
5   0s      tool.done        work#1/1 search → "nothing"
6   0s      tool.called      work#1/2 search {}
7   0s      tool.done        work#1/2 search → "nothing"
8   0s      tool.called      work#1/3 search {}
9   0s      tool.done        work#1/3 search → "nothing"
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 5, seen at 9, in work, burned 3 toolCalls
            warned
10  0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 3 toolCalls
