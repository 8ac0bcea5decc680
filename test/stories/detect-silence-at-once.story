# A spec can treat the first answer without a tool call as a finding, and the second equal call as a loop.

graph:
  models: { fast: { id: any } }
  nodes:
    act: { use: model, model: fast, command: required, on: { done: other, noToolCall: other } }
    other: { use: ./work.ts#work, on: { done: end, loop: end } }
    end: { final: success }
  detect: { noToolCall: { times: 1 }, sequence: { repeats: 2 } }

start
ask fast -> says let me think about it
----
3   found    noToolCall (noToolCall): no-tool-call model=fast times=1
             period 1, 1 times, since 3, seen at 3, in act, burned 1 modelCalls
    escape   alternative act → other
in       other
pending  other#1
spent    1 steps, 1 modelCalls
lesson   no-tool-call model=fast times=1

call search {"q":"x"} -> nothing
----
in       other
pending  other#1
spent    2 steps, 1 toolCalls, 1 modelCalls
lesson   no-tool-call model=fast times=1

call search {"q":"x"} -> nothing
----
8   found    loop (sequence): repeated-sequence calls=["search"] times=2
             period 1, 2 times, since 6, seen at 8, in other, burned 2 toolCalls
    escape   alternative other → end
    ended    success: goal, result {}
ended    success: goal
spent    2 steps, 2 toolCalls, 1 modelCalls
lesson   no-tool-call model=fast times=1
lesson   repeated-sequence calls=["search"] times=2

