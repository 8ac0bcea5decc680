# Two messages interrupt. The second ends the round of the first, whose node has only just begun. Abandoned work is not performed.

graph:
  input: [ask]
  channels: { ask: {} }
  tools: { search: { use: flaky } }
  nodes:
    work: { use: tool, tool: search, on: { done: end } }
    end: { final: success }
  rounds: { busy: interrupt }
world:
  input: { ask: one }
  tools: { search: { does: [hangs, hangs, answers found] } }

after 1s submit message {"ask":"two"}
after 3s submit message {"ask":"three"}
drive
ledger
----
0   0s      thread.started   {"ask":"one"}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   1s      message          {"ask":"two"}  ⇒ cancelled
            ended    cancelled: interrupted, result {"ask":"one"}
4   1s      round.started
5   1s      turn.started     work#2
6   1s      tool.called      work#2/1 search {}
7   3s      message          {"ask":"three"}  ⇒ cancelled
            ended    cancelled: interrupted, result {"ask":"two"}
8   3s      round.started
9   3s      turn.started     work#3
10  3s      tool.called      work#3/1 search {}
11  3s      tool.done        work#3/1 search → "found"
12  3s      node.done        work#3 "found"  ⇒ end
            ended    success: goal, result {"ask":"three"}
ledger   search 3
round    3
ended    success: goal
spent    3 steps, 3 toolCalls, 3s
