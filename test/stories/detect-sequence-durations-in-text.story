# Numbers after the names of durations are not news in plain text.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call search {"q":"opening hours"} -> "no hits, duration=0.12 elapsed=1.25"
call search {"q":"opening hours"} -> "no hits, duration=0.08 elapsed=2.5"
call search {"q":"opening hours"} -> "no hits, duration=0.31 elapsed=3.125"
call search {"q":"opening hours"} -> "no hits, duration=0.09 elapsed=4.5"
----
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["search"] times=3, result {}
8   ignored
9   ignored
ended    stopped: loop because repeated-sequence calls=["search"] times=3
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
