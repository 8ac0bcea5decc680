# Seven different calls, round and round: a tour of the house is a loop, too, once it has been made three times.
# Other eyes are shut here: `stale` would see it earlier, and without being able to say what repeats.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  detect: { stale: false, repetition: false }

start
2x call a {} -> 1; call b {} -> 2; call c {} -> 3; call d {} -> 4; call e {} -> 5; call f {} -> 6; call g {} -> 7
call a {} -> 1; call b {} -> 2; call c {} -> 3; call d {} -> 4; call e {} -> 5; call f {} -> 6
----
in       act
pending  act#1
spent    1 steps, 20 toolCalls

call g {} -> 7
----
43  found    loop (sequence): a → b → c → d → e → f → g 3 times over, with the same arguments and nothing new in the answers
             period 7, 3 times, since 3, seen at 31 33 35 37 39 41 43, in act, burned 21 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 21 toolCalls
