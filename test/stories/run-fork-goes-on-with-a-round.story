# A fork of an ended thread has ended as well. A message begins its next round under the policy of the fork.

graph:
  input: [ask]
  channels: { ask: {}, found: { reducer: append } }
  output: [found]
  tools: { search: { use: flaky } }
  nodes:
    work: { use: tool, tool: search, out: { found: . }, on: { done: work, done.enough: end }, when: { enough: 'found.size() > 2' } }
    end: { final: success }
world:
  input: { ask: one }
  tools: { search: { does: [answers one, answers two, answers three, answers four] } }

drive
fork as refuse {"limits":{"round":{"steps":2}}}
drive
----
thread   story
0   0s      thread.started   {"ask":"one"}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "one"
4   0s      node.done        work#1 "one"  ⇒ work
5   0s      turn.started     work#2
6   0s      tool.called      work#2/1 search {}
7   0s      tool.done        work#2/1 search → "two"
8   0s      node.done        work#2 "two"  ⇒ work
9   0s      turn.started     work#3
10  0s      tool.called      work#3/1 search {}
11  0s      tool.done        work#3/1 search → "three"
12  0s      node.done        work#3 "three"  ⇒ end
            ended    success: goal, result {"found":["one","two","three"]}
ended    success: goal
spent    3 steps, 3 toolCalls
thread   story-refuse
13  0s      forked           from story after 12, effects refuse
14  0s      policy.changed   {"limits":{"round":{"steps":2}}}
ended    success: goal
spent    3 steps, 3 toolCalls

submit message {"ask":"two"}
drive
----
thread   story-refuse
15  0s      message          {"ask":"two"}
16  0s      turn.started     work#4 by driver 3
17  0s      tool.called      work#4/1 search {}
18  0s      tool.done        work#4/1 search → "four"
19  0s      node.done        work#4 "four"  ⇒ end
            ended    success: goal, result {"found":["one","two","three","four"]}
round    2
ended    success: goal
spent    4 steps, 4 toolCalls
