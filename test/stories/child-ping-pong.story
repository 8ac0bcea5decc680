# A supervisor sends the same question back and forth between two agents. The loop belongs to the parent, which escapes.

graph:
  nodes:
    writer: { use: graph, graph: writer, on: { done: critic } }
    critic: { use: graph, graph: critic, on: { done: writer, loop: end } }
    end: { final: success }
  graphs:
    writer:
      escapement: 1
      id: writer
      start: draft
      nodes: { draft: { use: tool, tool: write, on: { done: good } }, good: { final: success } }
      tools: { write: { use: flaky } }
    critic:
      escapement: 1
      id: critic
      start: read
      nodes: { read: { use: tool, tool: judge, on: { done: good } }, good: { final: success } }
      tools: { judge: { use: flaky } }
world:
  graphs: { writer: { tools: { write: { does: [answers a draft] } } }, critic: { tools: { judge: { does: [answers not yet] } } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     writer#1
2   0s      child.started    writer#1/1 writer may spend 99 steps
3   0s      child.done       writer#1/1 writer → success: goal {}
4   0s      node.done        writer#1 {}  ⇒ critic
5   0s      turn.started     critic#1
6   0s      child.started    critic#1/1 critic may spend 97 steps
7   0s      child.done       critic#1/1 critic → success: goal {}
8   0s      node.done        critic#1 {}  ⇒ writer
9   0s      turn.started     writer#2
10  0s      child.started    writer#2/1 writer may spend 95 steps
11  0s      child.done       writer#2/1 writer → success: goal {}
12  0s      node.done        writer#2 {}  ⇒ critic
13  0s      turn.started     critic#2
14  0s      child.started    critic#2/1 critic may spend 93 steps
15  0s      child.done       critic#2/1 critic → success: goal {}
16  0s      node.done        critic#2 {}  ⇒ writer
17  0s      turn.started     writer#3
18  0s      child.started    writer#3/1 writer may spend 91 steps
19  0s      child.done       writer#3/1 writer → success: goal {}  ⇒ end
            found    loop (sequence): repeated-sequence calls=["writer","critic"] times=2
                     period 2, 3 times, since 3, seen at 15 19, in writer critic, burned 10 steps, 5 toolCalls
            escape   alternative critic → end
            ended    success: goal, result {}
child    writer#1/1 (writer): ended success: goal; spent 1 steps, 1 toolCalls
child    critic#1/1 (critic): ended success: goal; spent 1 steps, 1 toolCalls
child    writer#2/1 (writer): ended success: goal; spent 1 steps, 1 toolCalls
child    critic#2/1 (critic): ended success: goal; spent 1 steps, 1 toolCalls
child    writer#3/1 (writer): ended success: goal; spent 1 steps, 1 toolCalls
ended    success: goal
spent    10 steps, 5 toolCalls
lesson   repeated-sequence calls=["writer","critic"] times=2
