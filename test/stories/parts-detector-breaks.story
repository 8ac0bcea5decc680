# A custom detector that throws finds nothing, and the run reports it. The other detectors still find the loop, and the run continues.

graph:
  parts: { detectors: [./parts.ts#broken] }
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end, loop: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }

start
3x call search {"q":"x"} -> nothing
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
    escape   alternative work → other
in       other
pending  other#1
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
broken   detector broken since 3, 3 times: it has seen enough

node.done @other
----
9   ended    success: goal, result {}
ended    success: goal
spent    2 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
broken   detector broken since 3, 3 times: it has seen enough
