# A substitute that needs permission does not answer in place of a tool that needs none. A person must allow its call first.

graph:
  tools:
    pay: { use: flaky, effects: write, substitutes: [bank] }
    bank: { use: flaky, effects: write }
  confirm: { bank: always }
  breaker: { threshold: 1, reset: 1h }
  retry: { attempts: 1 }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: ['call pay {"n":1}'] }
  tools: { pay: { does: [fails code=ECONNREFUSED no server] }, bank: { does: [answers paid] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"n":1}
3   0s      circuit.opened   work#1/1 pay after 1 failures
4   0s      tool.failed      work#1/1 pay attempt 1: no server [transient, resource, by network]
5   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   pay 1
ended    success: goal
spent    1 steps, 1 toolCalls
