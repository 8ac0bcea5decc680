# A node tagged `phase` is progress when it is entered for the first time; later it is a node like any other.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: ship, loop: b } }
    ship: { use: pass, phase: true, on: { done: act } }
    b: { use: pass, on: { done: act } }
    end: { final: success }
  detect: { recurrence: false, stale: false }
  escape: { ladder: [retry, alternative, review, stop], budget: { alternative: { perLoop: 1 } } }

start
3x call search {} -> nothing
node.done; node.done; node.done
3x call search {} -> nothing
----
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → b; not retry: it acts on single calls, in place
20  found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 16, seen at 20, in act, burned 3 toolCalls
    escape   alternative act → b; not retry: it acts on single calls, in place
in       b
pending  b#2
spent    5 steps, 6 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers

node.done; node.done; node.done
3x call search {} -> nothing
----
33  found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 29, seen at 33, in act, burned 3 toolCalls
    escape   stop (loop); not retry: the ladder is past it; not alternative: taken 1 times for this loop; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    9 steps, 9 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
