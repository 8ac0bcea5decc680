# A substitute makes a write only if it surely was not applied: after a refused connection, but not after a timeout. After the timeout a
# person is asked, although the breaker is open and a substitute exists.

graph:
  tools:
    pay: { use: flaky, effects: write, timeout: 5s, substitutes: [bank] }
    bank: { use: flaky, effects: write }
  breaker: { threshold: 1, reset: 1s }
  retry: { attempts: 1 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call pay {"n":1}', 'call pay {"n":2}'] }
  tools: { pay: { does: [fails code=ECONNREFUSED no server, hangs] }, bank: { does: [after 2s answers paid] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"n":1}
3   0s      circuit.opened   work#1/1 pay after 1 failures
4   0s      tool.failed      work#1/1 pay attempt 1: no server [transient, resource, by network], not for good
5   0s      call.substituted work#1/1 pay is out of order: bank answers
6   0s      tool.called      work#1/1 bank {"n":1} instead of pay
7   2s      tool.done        work#1/1 bank → "paid"
8   2s      circuit.halfOpened work#1/2 pay
9   2s      tool.called      work#1/2 pay {"n":2}
10  7s      circuit.opened   work#1/2 pay after 2 failures
11  7s      tool.failed      work#1/2 pay attempt 1: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
12  7s      call.late        work#1/2 pay failed: "no-answer"
ledger   pay 2, bank 1
in       work
pending  work#1 rests on work#1/2, work#1/2? asks 'ask-outcome call=pay' until 1d7s
spent    1 steps, 3 toolCalls, 7s
