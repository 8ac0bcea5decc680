# Seven different calls, round and round: a tour of the house is a loop, too, as soon as it is plain that it is made again.
# Other eyes are shut here: `sequence` alone can say what repeats.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  detect: { stale: false, repetition: false }

start
call a {} -> 1; call b {} -> 2; call c {} -> 3; call d {} -> 4; call e {} -> 5; call f {} -> 6; call g {} -> 7
call a {} -> 1; call b {} -> 2; call c {} -> 3
----
in       act
pending  act#1
spent    1 steps, 10 toolCalls

call d {} -> 4
----
23  found    loop (sequence): a → b → c → d → e → f → g 2 times over, with the same arguments and nothing new in the answers
             period 7, 2 times, since 3, seen at 11 13 15 17 19 21 23, in act, burned 11 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 11 toolCalls
