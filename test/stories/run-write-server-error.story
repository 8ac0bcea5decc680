# A server that fails with 500 may have charged before. The write is not repeated: a person is asked.

graph:
  tools: { charge: { use: flaky, effects: write } }
  nodes:
    work: { use: tool, tool: charge, on: { done: end } }
    end: { final: success }
world:
  tools: { charge: { does: [fails HTTP 500] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 charge {}
3   0s      tool.failed      work#1/1 charge attempt 1: HTTP 500 [indeterminate, resource, by http-transient]
ledger   charge 1
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=charge' until 1d
spent    1 steps, 1 toolCalls
