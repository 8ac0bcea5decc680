# A loop of seven different calls is found when its third lap begins. The other detectors are off: only `sequence` can report the
# repetition.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  detect: { stale: false, repetition: false }

start
call a {} -> 1; call b {} -> 2; call c {} -> 3; call d {} -> 4; call e {} -> 5; call f {} -> 6; call g {} -> 7
call a {} -> 1; call b {} -> 2; call c {} -> 3; call d {} -> 4; call e {} -> 5; call f {} -> 6; call g {} -> 7
----
in       act
pending  act#1
spent    1 steps, 14 toolCalls

call a {} -> 1
----
31  found    loop (sequence): repeated-sequence calls=["a","b","c","d","e","f","g"] times=2
             period 7, 3 times, since 3, seen at 19 21 23 25 27 29 31, in act, burned 15 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["a","b","c","d","e","f","g"] times=2, result {}
ended    stopped: loop because repeated-sequence calls=["a","b","c","d","e","f","g"] times=2
spent    1 steps, 15 toolCalls
lesson   repeated-sequence calls=["a","b","c","d","e","f","g"] times=2
