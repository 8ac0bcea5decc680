# An output from a person must also fit its channel. An invalid one is refused with the reason, and the question stays open.

graph:
  channels: { total: { type: integer, default: 0 } }
  nodes:
    ask: { use: human, question: How many?, out: [total], on: { human.edited: end, human.approved: end } }
    end: { final: success }
world: {}

drive
submit resume edited @ask#1 {"total":"many"}
drive
----
0   0s      thread.started   {}
refused  invalid-answer question=ask#1 fault="total expected number, received string"
in       ask
pending  ask#1 asks 'How many?'
spent    nothing

submit resume edited @ask#1 {"total":3}
drive
----
1   0s      resume           ask#1 edited {"total":3}  ⇒ end
            ended    success: goal, result {"total":3}
ended    success: goal
spent    1 steps
