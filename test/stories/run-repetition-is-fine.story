# A person dismisses a repetition. All detectors ignore it from then on.

graph:
  tools: { look: { use: flaky }, search: { use: flaky } }
  nodes:
    watch: { use: ./work.ts#watch, on: { done: watch } }
    end: { final: success }
  escape: { ladder: [review, stop], review: { deadline: 1h } }
  limits: { steps: 6 }
world:
  nodes: { watch: [call look, call look, call search] }
  tools: { look: { does: [answers nothing] }, search: { does: [answers 1, answers 2, answers 3, answers 4, answers 5, answers 6, answers 7] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     watch#1
2   0s      tool.called      watch#1/1 look {}
3   0s      tool.done        watch#1/1 look → "nothing"
4   0s      tool.called      watch#1/2 look {}
5   0s      tool.done        watch#1/2 look → "nothing"
6   0s      tool.called      watch#1/3 search {}
7   0s      tool.done        watch#1/3 search → 1
8   0s      node.done        watch#1 {}  ⇒ watch
9   0s      turn.started     watch#2
10  0s      tool.called      watch#2/1 look {}
11  0s      tool.done        watch#2/1 look → "nothing"  ⇒ review
            found    loop (repetition): repeated-call call=look times=3 arguments=same result=nothing-new
                     period 1, 3 times, since 3, seen at 3 5 11, in watch, burned 1 steps, 4 toolCalls
            escape   review in watch
in       review
pending  review#1 asks 'ask-route' because repeated-call call=look times=3 arguments=same result=nothing-new until 1h
spent    2 steps, 4 toolCalls
lesson   repeated-call call=look times=3 arguments=same result=nothing-new

submit resume dismiss
drive
ledger
----
12  0s      resume           review#1 dismiss  ⇒ watch
13  0s      turn.started     watch#3 by driver 2
14  0s      tool.called      watch#3/1 look {}
15  0s      tool.done        watch#3/1 look → "nothing"
16  0s      tool.called      watch#3/2 look {}
17  0s      tool.done        watch#3/2 look → "nothing"
18  0s      tool.called      watch#3/3 search {}
19  0s      tool.done        watch#3/3 search → 2
20  0s      node.done        watch#3 {}  ⇒ watch
21  0s      turn.started     watch#4 by driver 2
22  0s      tool.called      watch#4/1 look {}
23  0s      tool.done        watch#4/1 look → "nothing"
24  0s      tool.called      watch#4/2 look {}
25  0s      tool.done        watch#4/2 look → "nothing"
26  0s      tool.called      watch#4/3 search {}
27  0s      tool.done        watch#4/3 search → 3
28  0s      node.done        watch#4 {}  ⇒ watch
29  0s      turn.started     watch#5 by driver 2
30  0s      tool.called      watch#5/1 look {}
31  0s      tool.done        watch#5/1 look → "nothing"
32  0s      tool.called      watch#5/2 look {}
33  0s      tool.done        watch#5/2 look → "nothing"
34  0s      tool.called      watch#5/3 search {}
35  0s      tool.done        watch#5/3 search → 4
36  0s      node.done        watch#5 {}  ⇒ watch
37  0s      turn.started     watch#6 by driver 2
38  0s      tool.called      watch#6/1 look {}
39  0s      tool.done        watch#6/1 look → "nothing"
40  0s      tool.called      watch#6/2 look {}
41  0s      tool.done        watch#6/2 look → "nothing"
42  0s      tool.called      watch#6/3 search {}
43  0s      tool.done        watch#6/3 search → 5
44  0s      node.done        watch#6 {}  ⇒ watch
45  0s      turn.started     watch#7 by driver 2  ⇒ review
            found    budget (steps): limit-reached unit=steps limit=6 of=thread
                     period 1, 1 times, since 1, seen at 45, in watch, burned 6 steps, 16 toolCalls
            escape   review in watch
ledger   look 11, search 5
in       review
pending  review#2 asks 'ask-route' because limit-reached unit=steps limit=6 of=thread until 1h
spent    6 steps, 16 toolCalls
lesson   repeated-call call=look times=3 arguments=same result=nothing-new
lesson   limit-reached unit=steps limit=6 of=thread

