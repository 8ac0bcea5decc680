# The question about a call in doubt escalates like any other, and the next person answers it.

graph:
  tools: { pay: { use: flaky, effects: write, timeout: 5s } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 2h, escalate: [{ to: lead, after: 10m }] } }
world:
  nodes: { work: [call pay] }
  tools: { pay: { does: [hangs, answers paid] } }

drive
later 10m
drive
submit resume not-applied @work#1/1?
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {}
3   5s      tool.failed      work#1/1 pay attempt 1: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
4   5s      call.late        work#1/1 pay failed: "no-answer"
5   10m5s   tick             work#1/1?
6   10m5s   resume           work#1/1? not-applied
7   10m5s   turn.started     work#1 by driver 3
8   10m5s   tool.failed      work#1/1 pay attempt 1: TimeoutError: no-answer ms=5000 [transient, resource, by timeout], not for good
9   10m5s   tool.called      work#1/1 pay {} attempt 2
10  10m5s   tool.done        work#1/1 pay → "paid"
11  10m5s   node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 2 toolCalls, 5s
