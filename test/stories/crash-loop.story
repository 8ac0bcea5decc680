# A node whose process dies each time before it produces anything: its third start fails the node for good.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end, error.persistent: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }

start
turn.started try=1
turn.started try=2
----
in       act
pending  act#1 started 2 times
spent    1 steps

turn.started try=3
----
in       other
pending  other#1
spent    1 steps
