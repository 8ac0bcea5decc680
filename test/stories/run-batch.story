# Several parallel calls. Each answer says whether others are still active, and a finding takes effect after the last call has returned.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end, loop: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call search {"q":"x"}', 'call search {"q":"x"}', 'batch search {"q":"x"} & search {"q":"y"}'] }
  tools: { search: { does: [answers nothing, answers nothing, answers nothing, after 1s answers nothing] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"q":"x"}
3   0s      tool.done        work#1/1 search → "nothing"
4   0s      tool.called      work#1/2 search {"q":"x"}
5   0s      tool.done        work#1/2 search → "nothing"
6   0s      tool.called      work#1/3 search {"q":"x"} (others are still out)
7   0s      tool.called      work#1/4 search {"q":"y"} (others are still out)
8   0s      tool.done        work#1/3 search → "nothing" (others are still out)
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 3, seen at 8, in work, burned 4 toolCalls
9   1s      tool.done        work#1/4 search → "nothing"  ⇒ other
            escape   alternative work → other
10  1s      turn.started     other#1
11  1s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 4 toolCalls, 1s
lesson   repeated-sequence calls=["search"] times=3
