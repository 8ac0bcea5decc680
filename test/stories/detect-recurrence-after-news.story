# The hash of a state does not include a transcript, so an answer that was never seen before resets the count: the agent has learned
# something. When answers repeat, the laps count again, and a state counts with the answer that led to it.

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
call read {"page":2} -> two; node.done; node.done
call read {"page":3} -> three; node.done
----
34  found    loop (recurrence): repeated-state states=["think","ask","think","ask"] times=2
             period 4, 2 times, since 16, seen at 16 22 34, in think ask, burned 6 steps, 4 toolCalls
    escape   alternative think → end
    ended    success: goal, result {}
ended    success: goal
spent    11 steps, 6 toolCalls
lesson   repeated-state states=["think","ask","think","ask"] times=2
