# A question shows the values of the channels and the latest ten events. A long value is cut, and of a log only its length is shown.

graph:
  tools: { search: { use: flaky } }
  channels:
    plan: { type: string, default: 'find the price' }
    notes: { type: array, items: {}, default: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa] }
    seen: { type: string, reducer: append }
  nodes:
    work: { use: ./work.ts#work, out: { plan: plan, seen: seen }, on: { done: check, error: end } }
    check: { use: human, question: 'Go on?', deadline: 1h, on: { human.approved: end, human.expired: end } }
    end: { final: success }
world:
  nodes: { work: ['call search {"n":1}', 'call search {"n":2}', 'call search {"n":3}', 'call search {"n":4}', 'call search {"n":5}', 'call search {"n":6}', 'call search {"n":7}', 'call search {"n":8}', 'call search {"n":9}', 'call search {"n":10}', 'returns {"plan":"buy it","seen":"shop"}'] }
  tools: { search: { does: [answers one, answers two, answers three, answers four, answers five, answers six, answers seven, answers eight, answers nine, answers ten] } }

drive
review check#1
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {"n":1}
3   0s      tool.done        work#1/1 search → "one"
4   0s      tool.called      work#1/2 search {"n":2}
5   0s      tool.done        work#1/2 search → "two"
6   0s      tool.called      work#1/3 search {"n":3}
7   0s      tool.done        work#1/3 search → "three"
8   0s      tool.called      work#1/4 search {"n":4}
9   0s      tool.done        work#1/4 search → "four"
10  0s      tool.called      work#1/5 search {"n":5}
11  0s      tool.done        work#1/5 search → "five"
12  0s      tool.called      work#1/6 search {"n":6}
13  0s      tool.done        work#1/6 search → "six"
14  0s      tool.called      work#1/7 search {"n":7}
15  0s      tool.done        work#1/7 search → "seven"
16  0s      tool.called      work#1/8 search {"n":8}
17  0s      tool.done        work#1/8 search → "eight"
18  0s      tool.called      work#1/9 search {"n":9}
19  0s      tool.done        work#1/9 search → "nine"
20  0s      tool.called      work#1/10 search {"n":10}
21  0s      tool.done        work#1/10 search → "ten"
22  0s      node.done        work#1 {"plan":"buy it","seen":"shop"}  ⇒ check
? check#1: Go on?
  lately    5: search {"n":2} → "two"
            7: search {"n":3} → "three"
            9: search {"n":4} → "four"
            11: search {"n":5} → "five"
            13: search {"n":6} → "six"
            15: search {"n":7} → "seven"
            17: search {"n":8} → "eight"
            19: search {"n":9} → "nine"
            21: search {"n":10} → "ten"
            22: work done {"plan":"buy it","seen":"shop"}
  channels  plan: "buy it"
            notes: ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…
            seen: {"items":1}
  answers   --decision approved → the end: success (goal)
            --decision rejected → the end: stopped (failure.business)
            --decision stop     → the end: stopped (review.stopped)
  else      at 1h → the end: success (goal)
  asked     at 0s
in       check
pending  check#1 asks 'Go on?' until 1h
spent    1 steps, 10 toolCalls
