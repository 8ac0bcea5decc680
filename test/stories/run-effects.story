# The ledger classifies writes by what can still be done about them. It excludes reads and refused writes.

graph:
  tools:
    look: { use: flaky }
    flag: { use: flaky, effects: write, reversible: true }
    book: { use: flaky, effects: write }
    mail: { use: flaky, effects: write }
    put: { use: flaky, effects: write, idempotent: true, timeout: 1s, retry: { attempts: 2 } }
    pay: { use: flaky, effects: write, timeout: 5s }
  nodes:
    work: { use: ./work.ts#work, timeout: 1m, on: { done: end, timeout: end } }
    end: { final: success }
world:
  nodes: { work: [call look, 'call flag {"on":true}', 'call book {"seat":3}', 'call mail {"to":"x"}', call mail, call put, call pay] }
  tools:
    flag: { does: [answers set] }
    book: { does: [answers booked], undo: [answers null] }
    mail: { does: [answers sent, fails HTTP 400] }
    put: { does: [hangs] }
    pay: { does: [hangs] }

drive
effects
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 look {}
3   0s      tool.done        work#1/1 look → null
4   0s      tool.called      work#1/2 flag {"on":true}
5   0s      tool.done        work#1/2 flag → "set"
6   0s      tool.called      work#1/3 book {"seat":3}
7   0s      tool.done        work#1/3 book → "booked"
8   0s      tool.called      work#1/4 mail {"to":"x"}
9   0s      tool.done        work#1/4 mail → "sent"
10  0s      tool.called      work#1/5 mail {}
11  0s      tool.failed      work#1/5 mail attempt 1: HTTP 400 [persistent, request, by http-request]
12  0s      tool.called      work#1/6 put {}
13  1s      tool.failed      work#1/6 put attempt 1: TimeoutError: no-answer ms=1000 [transient, resource, by timeout], not for good
14  1s      call.waiting     work#1/6 put attempt 2 comes later
15  1s      call.late        work#1/6 put failed: "no-answer"
16  2.05s   tool.called      work#1/6 put {} attempt 2
17  3.05s   tool.failed      work#1/6 put attempt 2: TimeoutError: no-answer ms=1000 [transient, resource, by timeout]
18  3.05s   call.late        work#1/6 put failed: "no-answer"
19  3.05s   tool.called      work#1/7 pay {}
20  8.05s   tool.failed      work#1/7 pay attempt 1: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout]
21  8.05s   call.late        work#1/7 pay failed: "no-answer"
effect   flag {"on":true} reversible, known by 5: effect-applied
effect   book {"seat":3} compensable, known by 7: effect-applied
effect   mail {"to":"x"} irreversible, known by 9: effect-applied
effect   put {} indeterminate, known by 17: effect-unknown ← no-answer ms=1000
effect   pay {} indeterminate, known by 20: effect-unknown ← no-answer ms=5000
in       work
pending  work#1 rests on work#1/7, work#1/7? asks 'ask-outcome call=pay' until 1d8.05s
spent    1 steps, 8 toolCalls, 8.05s

submit resume applied @work#1/7?
drive
effects
----
22  8.05s   resume           work#1/7? applied
23  8.05s   turn.started     work#1 by driver 2
24  8.05s   node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
effect   flag {"on":true} reversible, known by 5: effect-applied
effect   book {"seat":3} compensable, known by 7: effect-applied
effect   mail {"to":"x"} irreversible, known by 9: effect-applied
effect   put {} indeterminate, known by 17: effect-unknown ← no-answer ms=1000
effect   pay {} irreversible, known by 22: effect-applied by=person
ended    success: goal
spent    1 steps, 8 toolCalls, 8.05s
