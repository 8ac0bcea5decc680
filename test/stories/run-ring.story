# The ring: A → B → C → A, with D as the alternative. B fails for good, and the ladder leads through D to the goal.

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
  tools: { toolB: { does: [answers b, answers b, fails HTTP 503] }, toolC: { does: [answers c] } }

drive
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
25  0s      tool.failed      B#3/1 toolB attempt 1: HTTP 503 [transient, resource, by http-transient], not for good
26  0s      call.waiting     B#3/1 toolB attempt 2 comes later
27  1.07s   tool.called      B#3/1 toolB {} attempt 2
28  1.07s   tool.failed      B#3/1 toolB attempt 2: HTTP 503 [transient, resource, by http-transient], not for good
29  1.07s   call.waiting     B#3/1 toolB attempt 3 comes later
30  3.23s   tool.called      B#3/1 toolB {} attempt 3
31  3.23s   circuit.opened   B#3/1 toolB after 3 failures
32  3.23s   tool.failed      B#3/1 toolB attempt 3: HTTP 503 [transient, resource, by http-transient]
33  3.23s   node.failed      B#3 HTTP 503 [transient, resource, by http-transient]  ⇒ D
            found    failure (transient): node-failed node=B ← error message="HTTP 503" class=transient status=503
                     period 1, 1 times, since 33, seen at 33, in B, burned 1 toolCalls, 2.16s
            escape   alternative B → D
34  3.23s   turn.started     D#1
35  3.23s   node.done        D#1 {}  ⇒ E
            ended    success: goal, result {}
ended    success: goal
spent    9 steps, 7 toolCalls, 3.23s
lesson   node-failed node=B ← error message="HTTP 503" class=transient status=503
