# A tool that times out has failed. A read is safe to repeat, so it is retried.

graph:
  tools: { search: { use: flaky, timeout: 5s } }
  nodes:
    work: { use: tool, tool: search, on: { done: end } }
    end: { final: success }
world:
  tools: { search: { does: [hangs, answers found] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   5s      tool.failed      work#1/1 search attempt 1: TimeoutError: no-answer ms=5000 [transient, resource, by timeout], not for good
4   5s      call.waiting     work#1/1 search attempt 2 comes later
5   6.06s   tool.called      work#1/1 search {} attempt 2
6   6.06s   tool.done        work#1/1 search → "found"
7   6.06s   node.done        work#1 "found"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 2 toolCalls, 6.06s
