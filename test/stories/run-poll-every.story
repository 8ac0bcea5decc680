# A tool with `poll: { every: 10s }`: the runtime waits between two equal calls. A call with other arguments does not wait.

graph:
  models: { fast: { id: any } }
  tools: { status: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  detect: { tools: { status: { poll: { every: 10s } } } }
world:
  nodes: { work: ['call status {"job":1}', 'call status {"job":2}', 'call status {"job":1}', 'call status {"job":1}'] }
  tools: { status: { does: [answers running] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 status {"job":1}
3   0s      tool.done        work#1/1 status → "running"
4   0s      tool.called      work#1/2 status {"job":2}
5   0s      tool.done        work#1/2 status → "running"
6   0s      call.waiting     work#1/3 status polls again in 10s
7   10s     tool.called      work#1/3 status {"job":1}
8   10s     tool.done        work#1/3 status → "running"
9   10s     call.waiting     work#1/4 status polls again in 10s
10  20s     tool.called      work#1/4 status {"job":1}
11  20s     tool.done        work#1/4 status → "running"
12  20s     node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 4 toolCalls, 20s
