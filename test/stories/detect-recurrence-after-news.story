# The hash of a state does not include a transcript, so an answer that was never seen before resets the count: the agent has learned
# something. When answers repeat, the laps count again.

graph:
  nodes:
    ask: { use: ./work.ts#ask, on: { done: think } }
    think: { use: pass, on: { done: ask } }
    end: { final: success }
  detect: { sequence: false, stale: false, repetition: false }
  escape: { alternatives: { think: [end] } }

start
call read {"page":1} -> one; node.done; node.done
call read {"page":2} -> two; node.done; node.done
call read {"page":3} -> three; node.done; node.done
----
in       ask
pending  ask#4
spent    6 steps, 3 toolCalls

call read {"page":3} -> three; node.done; node.done
call read {"page":2} -> two; node.done
----
28  found    loop (recurrence): repeated-state states=["think","ask"] times=2
             period 2, 2 times, since 16, seen at 16 22 28, in think ask, burned 4 steps, 3 toolCalls
    escape   alternative think → end
    ended    success: goal, result {}
ended    success: goal
spent    9 steps, 5 toolCalls
lesson   repeated-state states=["think","ask"] times=2
