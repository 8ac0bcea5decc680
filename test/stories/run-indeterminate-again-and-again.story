# A payment times out each time, and each time a person says that it was not made. It runs three times in total, then fails for good.

graph:
  tools: { pay: { use: flaky, effects: write, timeout: 5s, breaker: { threshold: 9 } } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: end, error: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [hangs] } }

drive
submit resume not-applied @work#1/1?
drive
submit resume not-applied @work#1/1?2
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   5s      tool.failed      work#1/1 pay attempt 1: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
4   5s      call.late        work#1/1 pay failed: "no-answer"
5   5s      resume           work#1/1? not-applied
6   5s      turn.started     work#1 by driver 2
7   5s      tool.failed      work#1/1 pay attempt 1: TimeoutError: no-answer ms=5000 [transient, resource, by timeout], not for good
8   5s      tool.called      work#1/1 pay {"amount":5} attempt 2
9   10s     tool.failed      work#1/1 pay attempt 2: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
10  10s     call.late        work#1/1 pay failed: "no-answer"
11  10s     resume           work#1/1?2 not-applied
12  10s     turn.started     work#1 by driver 3
13  10s     tool.failed      work#1/1 pay attempt 2: TimeoutError: no-answer ms=5000 [transient, resource, by timeout], not for good
14  10s     tool.called      work#1/1 pay {"amount":5} attempt 3
15  15s     tool.failed      work#1/1 pay attempt 3: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
16  15s     call.late        work#1/1 pay failed: "no-answer"
in       work
pending  work#1 rests on work#1/1, work#1/1?3 asks 'ask-outcome call=pay' until 1d15s
spent    1 steps, 3 toolCalls, 15s

submit resume not-applied @work#1/1?3
drive
ledger
----
17  15s     resume           work#1/1?3 not-applied
18  15s     turn.started     work#1 by driver 4
19  15s     tool.failed      work#1/1 pay attempt 3: TimeoutError: no-answer ms=5000 [transient, resource, by timeout]
20  15s     node.failed      work#1 TimeoutError: no-answer ms=5000 [transient, resource, by timeout]  ⇒ other
21  15s     turn.started     other#1 by driver 4
22  15s     node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   pay 3
ended    success: goal
spent    2 steps, 3 toolCalls, 15s
