# By default, a busy thread rejects a message with the reason. After its round, the same message begins the next one. The time between
# rounds does not count.

graph:
  input: [ask]
  channels: { ask: {} }
  tools: { search: { use: flaky } }
  nodes:
    work: { use: tool, tool: search, on: { done: end } }
    end: { final: success }
world:
  input: { ask: one }
  tools: { search: { does: [after 10s answers found] } }

after 2s submit message {"ask":"two"}
drive
----
0   0s      thread.started   {"ask":"one"}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   10s     tool.done        work#1/1 search → "found"
4   10s     node.done        work#1 "found"  ⇒ end
            ended    success: goal, result {"ask":"one"}
refused  thread-busy round=1
ended    success: goal
spent    1 steps, 1 toolCalls, 10s

later 1h
submit message {"ask":"two"}
drive
ledger
----
5   1h10s   message          {"ask":"two"}
6   1h10s   turn.started     work#2 by driver 2
7   1h10s   tool.called      work#2/1 search {}
8   1h20s   tool.done        work#2/1 search → "found"
9   1h20s   node.done        work#2 "found"  ⇒ end
            ended    success: goal, result {"ask":"two"}
ledger   search 2
round    2
ended    success: goal
spent    2 steps, 2 toolCalls, 20s

submit message {"question":"three"}
drive
----
refused  invalid-input fault="input.ask is missing"
round    2
ended    success: goal
spent    2 steps, 2 toolCalls, 20s
