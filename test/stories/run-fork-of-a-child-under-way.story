# A fork while a graph runs as a node: a recorded fork reads its recorded result. A refusing or live fork does not start it again, because
# its writes by then are unknown.

graph:
  channels: { found: { default: null } }
  nodes:
    sub: { use: graph, graph: worker, out: found, on: { done: end, error: bad } }
    bad: { final: failure }
    end: { final: success }
  graphs:
    worker:
      escapement: 1
      id: worker
      start: look
      channels: { found: { default: null } }
      nodes:
        look: { use: tool, tool: pay, out: found, on: { done: good } }
        good: { final: success }
      tools: { pay: { use: flaky, effects: write } }
      output: [found]
world:
  graphs: { worker: { tools: { pay: { does: [after 10s answers paid] } } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     sub#1
2   0s      child.started    sub#1/1 worker may spend 99 steps
3   10s     child.done       sub#1/1 worker → success: goal {"found":"paid"}
4   10s     node.done        sub#1 {"found":"paid"}  ⇒ end
            ended    success: goal, result {"found":{"found":"paid"}}
child    sub#1/1 (worker): ended success: goal; spent 1 steps, 1 toolCalls, 10s
ended    success: goal
spent    2 steps, 1 toolCalls, 10s

fork at 2 as recorded
drive
----
thread   story-recorded
3   10s     forked           from story after 2, effects recorded
4   10s     turn.started     sub#1 by driver 2
5   10s     child.done       sub#1/1 worker → success: goal {"found":"paid"} (recorded)
6   10s     node.done        sub#1 {"found":"paid"}  ⇒ end
            ended    success: goal, result {"found":{"found":"paid"}}
child    story/sub#1/1 (worker): ended success: goal; spent 1 steps, 1 toolCalls, 10s
ended    success: goal
spent    2 steps, 1 toolCalls

thread story
fork at 2 as refuse
drive
----
thread   story-refuse
3   10s     forked           from story after 2, effects refuse
4   10s     turn.started     sub#1 by driver 2
5   10s     child.refused    sub#1/1 worker ChildRefused: write-in-fork call=worker [persistent, request, by fork]
6   10s     node.failed      sub#1 ChildFailed: graph-failed graph=worker outcome=error ← write-in-fork call=worker [persistent, request, by child]  ⇒ bad
            ended    failure: failure, result {"found":null}
ended    failure: failure
spent    1 steps

thread story
fork at 2 as live
drive
ledger
----
thread   story-live
3   10s     forked           from story after 2, effects live
4   10s     turn.started     sub#1 by driver 2
5   10s     child.done       sub#1/1 worker → success: goal {"found":"paid"} (recorded)
6   10s     node.done        sub#1 {"found":"paid"}  ⇒ end
            ended    success: goal, result {"found":{"found":"paid"}}
ledger   worker.pay 1
ended    success: goal
spent    2 steps, 1 toolCalls

thread story-live
fork at 1 as live
drive
ledger
----
thread   story-live-live
2   10s     forked           from story-live after 1, effects live
3   10s     turn.started     sub#1 by driver 2
4   10s     child.started    sub#1/1 worker may spend 99 steps
5   20s     child.done       sub#1/1 worker → success: goal {"found":"paid"}
6   20s     node.done        sub#1 {"found":"paid"}  ⇒ end
            ended    success: goal, result {"found":{"found":"paid"}}
ledger   worker.pay 2
child    sub#1/1 (worker): ended success: goal; spent 1 steps, 1 toolCalls, 10s
ended    success: goal
spent    2 steps, 1 toolCalls, 10s

