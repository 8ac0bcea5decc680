# An invalid policy change is refused, and the reason names the path. A valid one applies from the next event, with any driver. Between
# two rounds it is kept for the next round.

graph:
  tools: { search: { use: flaky } }
  nodes:
    ask: { use: human, question: Go on?, deadline: 1d, on: { human.approved: work } }
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: [call search, call search, call search, call search] }
  tools: { search: { does: [answers nothing] } }

drive
submit policy.change {"limits":{"usd":-1}}
submit policy.change {"detect":{"tools":{"serch":false}}}
submit policy.change {"escape":{"alternatives":{"work":["nowhere"]},"rollback":{"accept":["mail"]}}}
submit policy.change {"confirm":{"mail":"always"}}
drive
----
0   0s      thread.started   {}
refused  invalid-policy faults=["limits.usd: expected a number above 0, received -1"]
refused  invalid-policy faults=["detect.tools.serch: unknown tool 'serch'; expected one of: search"]
refused  invalid-policy faults=["escape.rollback.accept: unknown tool 'mail'; expected one of: search","escape.alternatives.work: unknown node 'nowhere'; expected one of: ask, work, end"]
refused  invalid-policy faults=["confirm.mail: unknown tool 'mail'; expected one of: search"]
in       ask
pending  ask#1 asks 'Go on?' until 1d
spent    nothing

submit policy.change {"detect":{"sequence":{"repeats":9},"stale":false,"repetition":false}}
submit resume approved @ask#1
drive
submit policy.change {"limits":{"steps":5}}
drive
----
1   0s      policy.changed   {"detect":{"sequence":{"repeats":9},"stale":false,"repetition":false}}
2   0s      resume           ask#1 approved  ⇒ work
3   0s      turn.started     work#1 by driver 3
4   0s      tool.called      work#1/1 search {}
5   0s      tool.done        work#1/1 search → "nothing"
6   0s      tool.called      work#1/2 search {}
7   0s      tool.done        work#1/2 search → "nothing"
8   0s      tool.called      work#1/3 search {}
9   0s      tool.done        work#1/3 search → "nothing"
10  0s      tool.called      work#1/4 search {}
11  0s      tool.done        work#1/4 search → "nothing"
12  0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
13  0s      policy.changed   {"limits":{"steps":5}}
ended    success: goal
spent    2 steps, 4 toolCalls
