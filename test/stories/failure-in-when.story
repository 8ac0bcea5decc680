# A label in CEL that breaks on the values it meets fails the node with the place of the expression; nothing is thrown.

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
