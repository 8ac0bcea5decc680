# With `rollback`, a message abandons the active round, and the next begins from the context before it.

graph:
  input: [ask]
  channels: { ask: { reducer: append }, found: { reducer: append } }
  output: [ask, found]
  tools: { search: { use: flaky }, think: { use: flaky } }
  nodes:
    first: { use: tool, tool: search, out: { found: . }, on: { done: second } }
    second: { use: tool, tool: think, on: { done: end } }
    end: { final: success }
  rounds: { busy: rollback }
world:
  input: { ask: one }
  tools:
    search: { does: [answers one, answers two, answers three] }
    think: { does: [answers fine, hangs, answers fine] }

drive
----
0   0s      thread.started   {"ask":"one"}
1   0s      turn.started     first#1
2   0s      tool.called      first#1/1 search {}
3   0s      tool.done        first#1/1 search → "one"
4   0s      node.done        first#1 "one"  ⇒ second
5   0s      turn.started     second#1
6   0s      tool.called      second#1/1 think {}
7   0s      tool.done        second#1/1 think → "fine"
8   0s      node.done        second#1 "fine"  ⇒ end
            ended    success: goal, result {"ask":["one"],"found":["one"]}
ended    success: goal
spent    2 steps, 2 toolCalls

submit message {"ask":"two"}
after 4s submit message {"ask":"three"}
drive
----
9   0s      message          {"ask":"two"}
10  0s      turn.started     first#2 by driver 2
11  0s      tool.called      first#2/1 search {}
12  0s      tool.done        first#2/1 search → "two"
13  0s      node.done        first#2 "two"  ⇒ second
14  0s      turn.started     second#2 by driver 2
15  0s      tool.called      second#2/1 think {}
16  4s      message          {"ask":"three"}  ⇒ cancelled
            ended    cancelled: interrupted, result {"ask":["one","two"],"found":["one","two"]}
17  4s      round.started
18  4s      turn.started     first#3 by driver 2
19  4s      tool.called      first#3/1 search {}
20  4s      tool.done        first#3/1 search → "three"
21  4s      node.done        first#3 "three"  ⇒ second
22  4s      turn.started     second#3 by driver 2
23  4s      tool.called      second#3/1 think {}
24  4s      tool.done        second#3/1 think → "fine"
25  4s      node.done        second#3 "fine"  ⇒ end
            ended    success: goal, result {"ask":["one","three"],"found":["one","three"]}
round    3
ended    success: goal
spent    6 steps, 6 toolCalls, 4s
