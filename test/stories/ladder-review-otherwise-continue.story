# Where the spec says so, an unanswered question lets the agent go on where it was asked. The ladder is past the review by then.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h, otherwise: continue } }

start
3x call search {} -> nothing
+1h
tick
----
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   review in act; not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to
in       act
pending  act#2
spent    1 steps, 3 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers

3x call search {} -> nothing
----
15  found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 11, seen at 15, in act, burned 3 toolCalls
    escape   stop (loop); not retry: the ladder is past it; not rethink: the ladder is past it; not substitute: the ladder is past it; not alternative: the ladder is past it; not rollback: the ladder is past it; not review: taken 1 times for this loop
    ended    stopped: loop, result {}
ended    stopped: loop
spent    2 steps, 6 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
