# What did not work is kept as a lesson for the model: each once, whatever comes after.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: act, loop: b } }
    b: { use: pass, on: { done: act } }
    end: { final: success }
  detect: { recurrence: false, stale: false }
  escape: { budget: { alternative: { perLoop: 3 } } }

start
3x call search {"q":"x"} -> nothing
node.done
3x call search {"q":"x"} -> nothing
node.done
3x call grep {"q":"x"} -> nothing
----
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → b; not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place
16  found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 12, seen at 16, in act, burned 3 toolCalls
    escape   alternative act → b; not retry: the ladder is past it; not rethink: the ladder is past it; not substitute: the ladder is past it
25  found    loop (sequence): grep 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 21, seen at 25, in act, burned 3 toolCalls
    escape   alternative act → b; not retry: the ladder is past it; not rethink: the ladder is past it; not substitute: the ladder is past it
in       b
pending  b#3
spent    5 steps, 9 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
lesson   grep 3 times over, with the same arguments and nothing new in the answers
