# One and the same loop gets its alternative twice; the third time a person is asked. Another loop would still have its own two.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: act } }
    b: { use: pass, on: { done: act } }
    end: { final: success }
  detect: { recurrence: false, stale: false }
  escape: { alternatives: { act: [b] }, review: { deadline: 1h } }

start
3x call search {"q":"x"} -> nothing
node.done
3x call search {"q":"x"} -> nothing
node.done
----
7   found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → b; not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place
16  found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 12, seen at 16, in act, burned 3 toolCalls
    escape   alternative act → b; not retry: the ladder is past it; not rethink: the ladder is past it; not substitute: the ladder is past it
in       act
pending  act#3
spent    4 steps, 6 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers

3x call search {"q":"x"} -> nothing
----
25  found    loop (sequence): search 3 times over, with the same arguments and nothing new in the answers
             period 1, 3 times, since 21, seen at 25, in act, burned 3 toolCalls
    escape   review in act; not retry: the ladder is past it; not rethink: the ladder is past it; not substitute: the ladder is past it; not alternative: taken 2 times for this loop; not rollback: there was no progress to go back to
in       review
pending  review#1 asks 'The agent is stuck. How should it go on?' because search 3 times over, with the same arguments and nothing new in the answers until 1h
spent    5 steps, 9 toolCalls
lesson   search 3 times over, with the same arguments and nothing new in the answers
