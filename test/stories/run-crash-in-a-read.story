# The process dies during a read. The next process keeps the answers and repeats only the open call.

graph:
  tools: { search: { use: flaky }, read: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: [call search, call read] }
  tools: { search: { does: [answers found] }, read: { does: [dies, answers text] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "found"
4   0s      tool.called      work#1/2 read {}
thrown   Error: the process is gone
in       work
pending  work#1
spent    1 steps, 2 toolCalls

drive as other
ledger
----
5   0s      turn.started     work#1 by driver 2
6   0s      tool.called      work#1/2 read {}
7   0s      tool.done        work#1/2 read → "text"
8   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ledger   search 1, read 2
ended    success: goal
spent    1 steps, 3 toolCalls
