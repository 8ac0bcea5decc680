# Six pages repeat, and once a lap a clock shows a different time. One new answer excuses four rounds, and no more. The other detectors
# are off.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  detect: { repetition: false, sequence: false, stale: { times: 6 } }

start
call read {"page":1} -> one; call read {"page":2} -> two; call read {"page":3} -> three; call read {"page":4} -> four; call read {"page":5} -> five; call read {"page":6} -> six
call look {"at":"clock"} -> half past three
call read {"page":1} -> one; call read {"page":2} -> two; call read {"page":3} -> three; call read {"page":4} -> four; call read {"page":5} -> five
call look {"at":"clock"} -> a quarter to four
call read {"page":6} -> six; call read {"page":1} -> one; call read {"page":2} -> two; call read {"page":3} -> three
----
in       act
pending  act#1
spent    1 steps, 17 toolCalls

call read {"page":4} -> four
----
37  found    stall (stale): no-new-information calls=["read"] rounds=6
             period 1, 6 times, since 17, seen at 21 23 25 29 31 33 35 37, in act, burned 11 toolCalls
    escape   stop (stall)
    ended    stopped: stall because no-new-information calls=["read"] rounds=6, result {}
ended    stopped: stall because no-new-information calls=["read"] rounds=6
spent    1 steps, 18 toolCalls
lesson   no-new-information calls=["read"] rounds=6
