# With `queue`, messages wait for the end of the round, run one after another, and are received during a call. A driver that dies between
# two rounds loses none and starts none twice.

graph:
  input: [ask]
  channels: { ask: {}, asked: { reducer: append } }
  output: [asked]
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, out: { asked: . }, on: { done: end } }
    end: { final: success }
  rounds: { busy: queue }
world:
  input: { ask: one }
  nodes: { work: [call search, returns answer] }
  tools: { search: { does: [after 5s answers found, dies, after 5s answers found] } }

after 1s submit message {"ask":"two"}
after 2s submit message {"ask":"three"}
drive
----
0   0s      thread.started   {"ask":"one"}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   1s      message          {"ask":"two"}
4   2s      message          {"ask":"three"}
5   5s      tool.done        work#1/1 search → "found"
6   5s      node.done        work#1 "answer"  ⇒ end
            ended    success: goal, result {"asked":["answer"]}
7   5s      round.started
8   5s      turn.started     work#2
9   5s      tool.called      work#2/1 search {}
thrown   Error: the process is gone
round    2
in       work
waits    {"ask":"three"}
pending  work#2
spent    2 steps, 2 toolCalls, 5s

drive as other
ledger
----
10  5s      turn.started     work#2 by driver 2
11  5s      tool.called      work#2/1 search {}
12  10s     tool.done        work#2/1 search → "found"
13  10s     node.done        work#2 "answer"  ⇒ end
            ended    success: goal, result {"asked":["answer","answer"]}
14  10s     round.started
15  10s     turn.started     work#3 by driver 2
16  10s     tool.called      work#3/1 search {}
17  15s     tool.done        work#3/1 search → "found"
18  15s     node.done        work#3 "answer"  ⇒ end
            ended    success: goal, result {"asked":["answer","answer","answer"]}
ledger   search 4
round    3
ended    success: goal
spent    3 steps, 4 toolCalls, 15s
