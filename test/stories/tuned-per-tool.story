# A tool may be exempt (`wait_for_ci: false`) or have other thresholds: two repetitions of `search` are already too many.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  tools: { wait_for_ci: { use: flaky }, search: { use: flaky } }
  detect:
    tools:
      wait_for_ci: false
      search: { sequence: { repeats: 2 } }

start
8x call wait_for_ci {} -> pending
----
in       act
pending  act#1
spent    1 steps, 8 toolCalls

2x call search {"q":"x"} -> nothing
----
21  found    loop (sequence): repeated-sequence calls=["search"] times=2
             period 1, 2 times, since 19, seen at 21, in act, burned 2 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["search"] times=2, result {}
ended    stopped: loop because repeated-sequence calls=["search"] times=2
spent    1 steps, 10 toolCalls
lesson   repeated-sequence calls=["search"] times=2
