# Progress can be declared as a measure: a new maximum of it starts the ladder again.

graph:
  channels: { done: { type: integer, default: 0 } }
  nodes:
    act: { use: ./work.ts#act, out: [done], on: { done: act, loop: b } }
    b: { use: pass, on: { done: act } }
    end: { final: success }
  progress: done
  detect: { recurrence: false, stale: false }
  escape: { ladder: [retry, alternative, review, stop], budget: { alternative: { perLoop: 1 } } }

start
3x call search {} -> nothing
node.done
node.done {"done":1}
3x call search {} -> nothing
----
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → b; not retry: it acts on single calls, in place
18  found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 14, seen at 18, in act, burned 3 toolCalls
    escape   alternative act → b; not retry: it acts on single calls, in place
in       b
pending  b#2
spent    4 steps, 6 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers

# Falling back and coming up again is no progress.
node.done; node.done {"done":0}; node.done {"done":1}
3x call search {} -> nothing
----
31  found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 27, seen at 31, in act, burned 3 toolCalls
    escape   stop (loop); not retry: the ladder is past it; not alternative: taken 1 times for this loop; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {"done":1}
ended    stopped: loop
spent    8 steps, 9 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
