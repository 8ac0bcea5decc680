# With `interrupt`, a message ends the round while its node works. The node is left, the round counts as cancelled, and the next begins
# from the current context. An active write is awaited as long as after a cancel, and its late success is journalled.

graph:
  input: [ask]
  channels: { ask: {}, done: {} }
  output: [ask, done]
  tools: { search: { use: flaky }, pay: { use: flaky, effects: write } }
  nodes:
    first: { use: tool, tool: search, out: { done: . }, on: { done: second } }
    second: { use: tool, tool: pay, on: { done: end } }
    end: { final: success }
  rounds: { busy: interrupt }
world:
  input: { ask: one }
  tools:
    search: { does: [answers found, answers more] }
    pay: { does: [ignores the signal 3s answers paid, answers paid again] }

after 2s submit message {"ask":"two"}
drive
ledger
----
0   0s      thread.started   {"ask":"one"}
1   0s      turn.started     first#1
2   0s      tool.called      first#1/1 search {}
3   0s      tool.done        first#1/1 search → "found"
4   0s      node.done        first#1 "found"  ⇒ second
5   0s      turn.started     second#1
6   0s      tool.called      second#1/1 pay {}
7   2s      message          {"ask":"two"}  ⇒ cancelled
            ended    cancelled: interrupted, result {"ask":"one","done":"found"}
8   3s      call.late        second#1/1 pay → "paid"
            ignored
9   3s      round.started
10  3s      turn.started     first#2
11  3s      tool.called      first#2/1 search {}
12  3s      tool.done        first#2/1 search → "more"
13  3s      node.done        first#2 "more"  ⇒ second
14  3s      turn.started     second#2
15  3s      tool.called      second#2/1 pay {}
16  3s      tool.done        second#2/1 pay → "paid again"
17  3s      node.done        second#2 "paid again"  ⇒ end
            ended    success: goal, result {"ask":"two","done":"more"}
ledger   search 2, pay 2
round    2
ended    success: goal
spent    4 steps, 4 toolCalls, 2s
