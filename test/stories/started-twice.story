# A thread starts once. A second start is ignored, and the state is kept.

graph:
  nodes:
    plan: { use: pass, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
node.done
start
----
3   ignored
in       act
pending  act#1
spent    1 steps
