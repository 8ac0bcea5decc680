# The fork inherits the spending of its parent up to the fork: a fork does not add budget. The time in between does not count for either.

graph:
  tools: { search: { use: flaky, timeout: 1h } }
  nodes:
    work: { use: tool, tool: search, on: { done: work } }
  detect: { recurrence: false, sequence: false, repetition: false, stale: false }
  limits: { steps: 3, duration: 1h }
world:
  tools: { search: { does: [after 5m answers one, after 5m answers two] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   5m      tool.done        work#1/1 search → "one"
4   5m      node.done        work#1 "one"  ⇒ work
5   5m      turn.started     work#2
6   5m      tool.called      work#2/1 search {}
7   10m     tool.done        work#2/1 search → "two"
8   10m     node.done        work#2 "two"  ⇒ work
9   10m     turn.started     work#3
10  10m     tool.called      work#3/1 search {}
11  15m     tool.done        work#3/1 search → "two"
12  15m     node.done        work#3 "two"  ⇒ work
13  15m     turn.started     work#4  ⇒ stopped
            found    budget (steps): limit-reached unit=steps limit=3 of=thread
                     period 1, 1 times, since 1, seen at 13, in work, burned 3 steps, 3 toolCalls, 15m
            escape   stop (budget.steps)
            ended    stopped: budget.steps because limit-reached unit=steps limit=3 of=thread, result {}
ended    stopped: budget.steps because limit-reached unit=steps limit=3 of=thread
spent    3 steps, 3 toolCalls, 15m
lesson   limit-reached unit=steps limit=3 of=thread

later 3h
fork at 8 as live
drive
ledger
----
thread   story-live
9   3h15m   forked           from story after 8, effects live
10  3h15m   turn.started     work#3 by driver 2
11  3h15m   tool.called      work#3/1 search {}
12  3h20m   tool.done        work#3/1 search → "two"
13  3h20m   node.done        work#3 "two"  ⇒ work
14  3h20m   turn.started     work#4 by driver 2  ⇒ stopped
            found    budget (steps): limit-reached unit=steps limit=3 of=thread
                     period 1, 1 times, since 1, seen at 14, in work, burned 3 steps, 3 toolCalls, 15m
            escape   stop (budget.steps)
            ended    stopped: budget.steps because limit-reached unit=steps limit=3 of=thread, result {}
ledger   search 4
ended    stopped: budget.steps because limit-reached unit=steps limit=3 of=thread
spent    3 steps, 3 toolCalls, 15m
lesson   limit-reached unit=steps limit=3 of=thread
