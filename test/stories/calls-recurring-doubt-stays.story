# A write that times out once too often is still a write with an unknown result. A person is asked about it, whatever class its failure
# has.

graph:
  tools: { pay: { use: flaky, effects: write, timeout: 1s } }
  failures: { recurring: { times: 2, within: 1m } }
  breaker: { threshold: 99 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call pay {"n":1}', 'call pay {"n":2}'] }
  tools: { pay: { does: [fails HTTP 429, hangs] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"n":1}
3   0s      tool.failed      work#1/1 pay attempt 1: HTTP 429 [transient, resource, by http-transient], not for good
4   0s      call.waiting     work#1/1 pay attempt 2 comes later
5   1.06s   tool.called      work#1/1 pay {"n":1} attempt 2
6   2.06s   tool.failed      work#1/1 pay attempt 2: TimeoutError: no-answer ms=1000 [indeterminate, resource, by timeout]
7   2.06s   call.late        work#1/1 pay failed: "no-answer"
ledger   pay 2
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-outcome call=pay' until 1d2.06s
spent    1 steps, 2 toolCalls, 2.06s
