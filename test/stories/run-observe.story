# In observe mode, a loop is reported without an escape, and again each time its length doubles. Limits still apply.

graph:
  mode: observe
  tools: { look: { use: flaky } }
  nodes:
    watch: { use: ./work.ts#watch, on: { done: watch, loop: end } }
    end: { final: success }
  limits: { steps: 14 }
world:
  nodes: { watch: [call look] }
  tools: { look: { does: [answers nothing] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     watch#1
2   0s      tool.called      watch#1/1 look {}
3   0s      tool.done        watch#1/1 look → "nothing"
4   0s      node.done        watch#1 {}  ⇒ watch
5   0s      turn.started     watch#2
6   0s      tool.called      watch#2/1 look {}
7   0s      tool.done        watch#2/1 look → "nothing"
8   0s      node.done        watch#2 {}  ⇒ watch
9   0s      turn.started     watch#3
10  0s      tool.called      watch#3/1 look {}
11  0s      tool.done        watch#3/1 look → "nothing"
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 3, seen at 11, in watch, burned 2 steps, 3 toolCalls
            warned
12  0s      node.done        watch#3 {}  ⇒ watch
            found    loop (recurrence): repeated-state states=["watch"] times=2
                     period 1, 2 times, since 4, seen at 4 8 12, in watch, burned 2 steps, 3 toolCalls
            warned
13  0s      turn.started     watch#4
14  0s      tool.called      watch#4/1 look {}
15  0s      tool.done        watch#4/1 look → "nothing"
16  0s      node.done        watch#4 {}  ⇒ watch
17  0s      turn.started     watch#5
18  0s      tool.called      watch#5/1 look {}
19  0s      tool.done        watch#5/1 look → "nothing"
20  0s      node.done        watch#5 {}  ⇒ watch
            found    loop (recurrence): repeated-state states=["watch"] times=4
                     period 1, 4 times, since 4, seen at 4 8 12 16 20, in watch, burned 4 steps, 5 toolCalls
            warned
21  0s      turn.started     watch#6
22  0s      tool.called      watch#6/1 look {}
23  0s      tool.done        watch#6/1 look → "nothing"
            found    loop (sequence): repeated-sequence calls=["look"] times=6
                     period 1, 6 times, since 3, seen at 23, in watch, burned 5 steps, 6 toolCalls
            warned
24  0s      node.done        watch#6 {}  ⇒ watch
25  0s      turn.started     watch#7
26  0s      tool.called      watch#7/1 look {}
27  0s      tool.done        watch#7/1 look → "nothing"
28  0s      node.done        watch#7 {}  ⇒ watch
29  0s      turn.started     watch#8
30  0s      tool.called      watch#8/1 look {}
31  0s      tool.done        watch#8/1 look → "nothing"
32  0s      node.done        watch#8 {}  ⇒ watch
33  0s      turn.started     watch#9
34  0s      tool.called      watch#9/1 look {}
35  0s      tool.done        watch#9/1 look → "nothing"
36  0s      node.done        watch#9 {}  ⇒ watch
            found    loop (recurrence): repeated-state states=["watch"] times=8
                     period 1, 8 times, since 4, seen at 4 8 12 16 20 24 28 32 36, in watch, burned 8 steps, 9 toolCalls
            warned
37  0s      turn.started     watch#10
38  0s      tool.called      watch#10/1 look {}
39  0s      tool.done        watch#10/1 look → "nothing"
40  0s      node.done        watch#10 {}  ⇒ watch
41  0s      turn.started     watch#11
42  0s      tool.called      watch#11/1 look {}
43  0s      tool.done        watch#11/1 look → "nothing"
44  0s      node.done        watch#11 {}  ⇒ watch
45  0s      turn.started     watch#12
46  0s      tool.called      watch#12/1 look {}
47  0s      tool.done        watch#12/1 look → "nothing"
            found    loop (sequence): repeated-sequence calls=["look"] times=12
                     period 1, 12 times, since 3, seen at 47, in watch, burned 11 steps, 12 toolCalls
            warned
48  0s      node.done        watch#12 {}  ⇒ watch
49  0s      turn.started     watch#13
50  0s      tool.called      watch#13/1 look {}
51  0s      tool.done        watch#13/1 look → "nothing"
52  0s      node.done        watch#13 {}  ⇒ watch
53  0s      turn.started     watch#14
54  0s      tool.called      watch#14/1 look {}
55  0s      tool.done        watch#14/1 look → "nothing"
56  0s      node.done        watch#14 {}  ⇒ watch
57  0s      turn.started     watch#15  ⇒ stopped
            found    budget (steps): limit-reached unit=steps limit=14 of=thread
                     period 1, 1 times, since 10, seen at 57, in watch, burned 11 steps, 12 toolCalls
            escape   stop (budget.steps)
            ended    stopped: budget.steps because limit-reached unit=steps limit=14 of=thread, result {}
ended    stopped: budget.steps because limit-reached unit=steps limit=14 of=thread
spent    14 steps, 14 toolCalls
lesson   limit-reached unit=steps limit=14 of=thread

