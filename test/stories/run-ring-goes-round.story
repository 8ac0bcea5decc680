# The ring without failures repeats. The loop is found in its third lap, and the thread escapes.

graph:
  tools: { toolB: { use: flaky }, toolC: { use: flaky } }
  nodes:
    A: { use: pass, on: { done: B } }
    B: { use: tool, tool: toolB, on: { done: C } }
    C: { use: tool, tool: toolC, on: { done: A } }
    D: { use: pass, on: { done: E } }
    E: { final: success }
  escape: { alternatives: { B: [D], C: [D] } }
world:
  tools: { toolB: { does: [answers b] }, toolC: { does: [answers c] } }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     A#1
2   0s      node.done        A#1 {}  ⇒ B
3   0s      turn.started     B#1
4   0s      tool.called      B#1/1 toolB {}
5   0s      tool.done        B#1/1 toolB → "b"
6   0s      node.done        B#1 "b"  ⇒ C
7   0s      turn.started     C#1
8   0s      tool.called      C#1/1 toolC {}
9   0s      tool.done        C#1/1 toolC → "c"
10  0s      node.done        C#1 "c"  ⇒ A
11  0s      turn.started     A#2
12  0s      node.done        A#2 {}  ⇒ B
13  0s      turn.started     B#2
14  0s      tool.called      B#2/1 toolB {}
15  0s      tool.done        B#2/1 toolB → "b"
16  0s      node.done        B#2 "b"  ⇒ C
17  0s      turn.started     C#2
18  0s      tool.called      C#2/1 toolC {}
19  0s      tool.done        C#2/1 toolC → "c"
20  0s      node.done        C#2 "c"  ⇒ A
21  0s      turn.started     A#3
22  0s      node.done        A#3 {}  ⇒ B
23  0s      turn.started     B#3
24  0s      tool.called      B#3/1 toolB {}
25  0s      tool.done        B#3/1 toolB → "b"  ⇒ D
            found    loop (sequence): repeated-sequence calls=["toolB","toolC"] times=2
                     period 2, 3 times, since 5, seen at 19 25, in B A C, burned 6 steps, 5 toolCalls
            escape   alternative B → D
26  0s      turn.started     D#1
27  0s      node.done        D#1 {}  ⇒ E
            ended    success: goal, result {}
ledger   toolB 3, toolC 2
ended    success: goal
spent    9 steps, 5 toolCalls
lesson   repeated-sequence calls=["toolB","toolC"] times=2
