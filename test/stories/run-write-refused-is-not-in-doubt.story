# A write that was refused (429) or never arrived (connection refused) was not applied, so it is retried.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    work: { use: tool, tool: pay, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [fails HTTP 429, fails code=ECONNREFUSED no server, answers paid] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {}
3   0s      tool.failed      work#1/1 pay attempt 1: HTTP 429 [transient, resource, by http-transient], not for good
4   0s      call.waiting     work#1/1 pay attempt 2 comes later
5   1.06s   tool.called      work#1/1 pay {} attempt 2
6   1.06s   tool.failed      work#1/1 pay attempt 2: no server [transient, resource, by network], not for good
7   1.06s   call.waiting     work#1/1 pay attempt 3 comes later
8   3.21s   tool.called      work#1/1 pay {} attempt 3
9   3.21s   tool.done        work#1/1 pay → "paid"
10  3.21s   node.done        work#1 "paid"  ⇒ end
            ended    success: goal, result {}
ledger   pay 3
ended    success: goal
spent    1 steps, 3 toolCalls, 3.21s
