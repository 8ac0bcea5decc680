# A CEL label that fails at run time fails the node with the location of the expression. `advance` does not throw.

graph:
  channels: { total: { type: integer } }
  nodes:
    work: { use: pass, when: { much: total > 10 }, on: { done.much: end, done: end, error.persistent: mend } }
    mend: { use: pass, on: { done: end } }
    end: { final: success }

start
node.done
----
in       mend
pending  mend#1
spent    1 steps
