# The service answers 201 Created, and its response breaks off. The charge may have been made, so neither the tool nor its substitute
# repeats it: a person is asked.

graph:
  tools:
    charge: { use: flaky, effects: write, substitutes: [charge_elsewhere], breaker: { threshold: 1 } }
    charge_elsewhere: { use: flaky, effects: write }
  nodes:
    work: { use: tool, tool: charge, on: { done: end } }
    end: { final: success }
world:
  tools: { charge: { does: [fails code=ECONNRESET the response to HTTP 201 broke off] }, charge_elsewhere: { does: [answers paid] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 charge {}
3   0s      circuit.opened   work#1/1 charge after 1 failures
4   0s      tool.failed      work#1/1 charge attempt 1: the response to HTTP 201 broke off [indeterminate, resource, by network]
ledger   charge 1
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=charge' until 1d
spent    1 steps, 1 toolCalls
