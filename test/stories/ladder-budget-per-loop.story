# The same loop gets its alternative twice; the third time a person is asked. Another loop would still have two.

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
7   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 3, seen at 7, in act, burned 3 toolCalls
    escape   alternative act → b
16  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 12, seen at 16, in act, burned 3 toolCalls
    escape   alternative act → b
in       act
pending  act#3
spent    4 steps, 6 toolCalls
lesson   repeated-sequence calls=["search"] times=3

3x call search {"q":"x"} -> nothing
----
25  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 21, seen at 25, in act, burned 3 toolCalls
    escape   review in act
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    5 steps, 9 toolCalls
lesson   repeated-sequence calls=["search"] times=3
