# Nobody answers: the default is taken exactly once, when the deadline is due. A decision after it is ignored.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h } }

start
3x call search {} -> nothing
+59m
tick
----
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   review in act; not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to
8   ignored
in       review
pending  review#1 asks 'The agent is stuck. How should it go on?' because search 3 times over, with the same arguments and nothing new in the answers until 1h
spent    1 steps, 3 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers

+1m
tick
----
9   ended    stopped: review.expired, result {}
ended    stopped: review.expired
spent    1 steps, 3 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers

resume approved @review#1 to=act; tick @review#1
----
10  ignored
11  ignored
ended    stopped: review.expired
spent    1 steps, 3 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
