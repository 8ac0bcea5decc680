# The output of a node must fit its channels. A wrong type fails the node, and the message names the path.

graph:
  channels: { total: { type: integer } }
  nodes:
    work: { use: ./work.ts#work, out: [total], on: { done: end } }
    end: { final: success }

start
node.done {"total":"many"}
----
2   found    failure (persistent): node-failed node=work ← invalid-output node=work path=total fault="expected number, received string"
             period 1, 1 times, since 2, seen at 2, in work, burned 1 steps
    escape   stop (failure.persistent)
    ended    stopped: failure.persistent because node-failed node=work ← invalid-output node=work path=total fault="expected number, received string", result {"total":null}
ended    stopped: failure.persistent because node-failed node=work ← invalid-output node=work path=total fault="expected number, received string"
spent    1 steps
lesson   node-failed node=work ← invalid-output node=work path=total fault="expected number, received string"
