# A dismissed loop of `look` doubles the threshold of its detector for this tool: another loop of it is found in its sixth lap, also in a later thread of
# the scope.

graph:
  tools: { look: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
  detect: { repetition: false }
  limits: { scopes: { job: {} } }
  escape: { review: { deadline: 1h } }
world:
  nodes: { work: ['call look {"at":1}', 'call look {"at":1}', 'call look {"at":1}', 'call look {"at":2}', 'call look {"at":2}', 'call look {"at":2}', 'call look {"at":2}', 'call look {"at":2}', 'call look {"at":2}', 'call look {"at":2}'] }
  tools: { look: { does: [answers nothing] } }

drive
submit resume dismiss
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 look {"at":1}
3   0s      tool.done        work#1/1 look → "nothing"
4   0s      tool.called      work#1/2 look {"at":1}
5   0s      tool.done        work#1/2 look → "nothing"
6   0s      tool.called      work#1/3 look {"at":1}
7   0s      tool.done        work#1/3 look → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
            escape   review in work
8   0s      resume           review#1 dismiss  ⇒ work
9   0s      turn.started     work#2 by driver 2
10  0s      tool.called      work#2/1 look {"at":1}
11  0s      tool.done        work#2/1 look → "nothing"
12  0s      tool.called      work#2/2 look {"at":1}
13  0s      tool.done        work#2/2 look → "nothing"
14  0s      tool.called      work#2/3 look {"at":1}
15  0s      tool.done        work#2/3 look → "nothing"
16  0s      tool.called      work#2/4 look {"at":2}
17  0s      tool.done        work#2/4 look → "nothing"
18  0s      tool.called      work#2/5 look {"at":2}
19  0s      tool.done        work#2/5 look → "nothing"
20  0s      tool.called      work#2/6 look {"at":2}
21  0s      tool.done        work#2/6 look → "nothing"
22  0s      tool.called      work#2/7 look {"at":2}
23  0s      tool.done        work#2/7 look → "nothing"
24  0s      tool.called      work#2/8 look {"at":2}
25  0s      tool.done        work#2/8 look → "nothing"
26  0s      tool.called      work#2/9 look {"at":2}
27  0s      tool.done        work#2/9 look → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["look"] times=6
                     period 1, 6 times, since 17, seen at 27, in work, burned 6 toolCalls
            escape   review in work
in       review
pending  review#2 asks 'ask-route' because repeated-sequence calls=["look"] times=6 until 1h
spent    2 steps, 12 toolCalls
lesson   repeated-sequence calls=["look"] times=3
lesson   repeated-sequence calls=["look"] times=6

thread second
drive
----
thread   second
0   0s      thread.started   {}
1   0s      scope.noted      job (story) others spent nothing; 24go2k7h5bu met by story; 1hlxn1aatee met by story; 24go2k7h5bu is dismissed
2   0s      turn.started     work#1
3   0s      tool.called      work#1/1 look {"at":1}
4   0s      tool.done        work#1/1 look → "nothing"
5   0s      tool.called      work#1/2 look {"at":1}
6   0s      tool.done        work#1/2 look → "nothing"
7   0s      tool.called      work#1/3 look {"at":1}
8   0s      tool.done        work#1/3 look → "nothing"
9   0s      tool.called      work#1/4 look {"at":2}
10  0s      tool.done        work#1/4 look → "nothing"
11  0s      tool.called      work#1/5 look {"at":2}
12  0s      tool.done        work#1/5 look → "nothing"
13  0s      tool.called      work#1/6 look {"at":2}
14  0s      tool.done        work#1/6 look → "nothing"
15  0s      tool.called      work#1/7 look {"at":2}
16  0s      tool.done        work#1/7 look → "nothing"
17  0s      tool.called      work#1/8 look {"at":2}
18  0s      tool.done        work#1/8 look → "nothing"
19  0s      tool.called      work#1/9 look {"at":2}
20  0s      tool.done        work#1/9 look → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=6
                     period 1, 6 times, since 10, seen at 20, in work, burned 6 toolCalls
                     met before by story at 27, escaped by review
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=6, result {}
ended    stopped: loop because repeated-sequence calls=["look"] times=6
spent    1 steps, 9 toolCalls
lesson   repeated-sequence calls=["look"] times=6
