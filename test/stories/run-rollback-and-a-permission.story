# A rollback to before a node with an approved write: the write is compensated, the node restarts, and it asks again, once. A proposed
# write has changed nothing and does not prevent a rollback.

graph:
  channels: { log: { reducer: append, type: string } }
  tools: { pay: { use: flaky, effects: write, confirm: always }, look: { use: flaky }, wait: { use: flaky } }
  progress: size(log)
  nodes:
    both:
      regions:
        left: { start: plan, nodes: { plan: { use: ./work.ts#plan, out: { log: . }, on: { done: look } }, look: { use: ./work.ts#look, on: { done: seen } }, seen: { final: success } } }
        right: { start: buy, nodes: { buy: { use: tool, tool: pay, on: { done: over } }, over: { final: success } } }
      on: { done: end }
    end: { final: success }
  escape: { ladder: [rollback, stop], budget: { rollback: { perLoop: 2, total: 2 } } }
world:
  nodes: { plan: [call wait, returns planned], look: [call wait, call look, call look, call look] }
  tools:
    wait: { does: [answers 0, after 10s answers 1] }
    pay: { does: [answers paid], undo: [answers null] }
    look: { does: [answers nothing, answers nothing, answers nothing, answers nothing, answers nothing, answers nothing, answers 1, answers 2] }

after 5s submit resume approved @buy#1/1?
drive
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      turn.started     buy#1
3   0s      call.proposed    buy#1/1 pay {}
4   0s      tool.called      plan#1/1 wait {}
5   0s      tool.done        plan#1/1 wait → 0
6   0s      node.done        plan#1 "planned"  ⇒ look
7   0s      turn.started     look#1
8   0s      tool.called      look#1/1 wait {}
9   5s      resume           buy#1/1? approved
10  5s      turn.started     buy#1
11  5s      tool.called      buy#1/1 pay {}
12  5s      tool.done        buy#1/1 pay → "paid"
13  5s      node.done        buy#1 "paid"  ⇒ over
14  10s     tool.done        look#1/1 wait → 1
15  10s     tool.called      look#1/2 look {}
16  10s     tool.done        look#1/2 look → "nothing"
17  10s     tool.called      look#1/3 look {}
18  10s     tool.done        look#1/3 look → "nothing"
19  10s     tool.called      look#1/4 look {}
20  10s     tool.done        look#1/4 look → "nothing"
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 16, seen at 20, in look, burned 3 toolCalls
            escape   rollback from look to event 6
21  10s     turn.started     rollback#1
22  10s     tool.called      rollback#1/buy#1/1 pay {} undoing buy#1/1
23  10s     tool.done        rollback#1/buy#1/1 pay → null
24  10s     rollback.done    rollback#1
25  10s     turn.started     buy#2
26  10s     turn.started     look#2
27  10s     call.proposed    buy#2/1 pay {}
28  10s     tool.called      look#2/1 wait {}
29  20s     tool.done        look#2/1 wait → 1
30  20s     tool.called      look#2/2 look {}
31  20s     tool.done        look#2/2 look → "nothing"
32  20s     tool.called      look#2/3 look {}
33  20s     tool.done        look#2/3 look → "nothing"
34  20s     tool.called      look#2/4 look {}
35  20s     tool.done        look#2/4 look → "nothing"
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 31, seen at 35, in look, burned 3 toolCalls
            escape   rollback from look to event 24
36  20s     turn.started     rollback#2
37  20s     rollback.done    rollback#2
38  20s     turn.started     buy#3
39  20s     turn.started     look#3
40  20s     call.proposed    buy#3/1 pay {}
41  20s     tool.called      look#3/1 wait {}
42  30s     tool.done        look#3/1 wait → 1
43  30s     tool.called      look#3/2 look {}
44  30s     tool.done        look#3/2 look → 1
45  30s     tool.called      look#3/3 look {}
46  30s     tool.done        look#3/3 look → 2
47  30s     tool.called      look#3/4 look {}
48  30s     tool.done        look#3/4 look → 2
49  30s     node.done        look#3 {}  ⇒ seen
in       both.left.seen + right.buy
pending  buy#3 rests on buy#3/1, buy#3/1? asks 'ask-approval call=pay arguments="{}"' until 1d20s
spent    7 steps, 14 toolCalls, 30s
lesson   repeated-sequence calls=["look"] times=3

submit resume approved @buy#3/1?
drive
ledger
effects
----
50  30s     resume           buy#3/1? approved
51  30s     turn.started     buy#3 by driver 2
52  30s     tool.called      buy#3/1 pay {}
53  30s     tool.done        buy#3/1 pay → "paid"
54  30s     node.done        buy#3 "paid"  ⇒ over, end
            ended    success: goal, result {}
ledger   wait 4, pay 2, look 9, undo of pay 1
effect   pay {} compensated, known by 23: undone id=rollback#1/buy#1/1
effect   pay {} compensable, known by 53: effect-applied
ended    success: goal
spent    7 steps, 15 toolCalls, 30s
lesson   repeated-sequence calls=["look"] times=3

