# A rollback compensates each write with the tool that made it: `book` had an open breaker and `book_elsewhere` substituted it, so `book`
# has nothing to compensate.

graph:
  channels: { log: { reducer: append, type: string } }
  tools:
    book: { use: flaky, effects: write, substitutes: [book_elsewhere] }
    book_elsewhere: { use: flaky, effects: write }
    look: { use: flaky }
  breaker: { threshold: 1, reset: 1h }
  retry: { attempts: 1 }
  progress: size(log)
  nodes:
    plan: { use: ./work.ts#plan, out: { log: . }, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { ladder: [substitute, rollback, stop] }
world:
  nodes: { plan: [returns planned], act: ['call book {"seat":7}', call look, call look, call look, returns too late] }
  tools:
    book: { does: [fails code=ECONNREFUSED no server], undo: [answers null] }
    book_elsewhere: { does: [answers booked], undo: [answers null] }
    look: { does: [answers nothing] }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      node.done        plan#1 "planned"  ⇒ act
3   0s      turn.started     act#1
4   0s      tool.called      act#1/1 book {"seat":7}
5   0s      circuit.opened   act#1/1 book after 1 failures
6   0s      tool.failed      act#1/1 book attempt 1: no server [transient, resource, by network], not for good
7   0s      call.substituted act#1/1 book is out of order: book_elsewhere answers
8   0s      tool.called      act#1/1 book_elsewhere {"seat":7} instead of book
9   0s      tool.done        act#1/1 book_elsewhere → "booked"
10  0s      tool.called      act#1/2 look {}
11  0s      tool.done        act#1/2 look → "nothing"
12  0s      tool.called      act#1/3 look {}
13  0s      tool.done        act#1/3 look → "nothing"
14  0s      tool.called      act#1/4 look {}
15  0s      tool.done        act#1/4 look → "nothing"
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 11, seen at 15, in act, burned 3 toolCalls
            escape   rollback from act to event 2
16  0s      turn.started     rollback#1
17  0s      tool.called      rollback#1/act#1/1 book_elsewhere {"seat":7} undoing act#1/1
18  0s      tool.done        rollback#1/act#1/1 book_elsewhere → null
19  0s      rollback.done    rollback#1
20  0s      turn.started     act#2
21  0s      call.substituted act#2/1 book is out of order: book_elsewhere answers
22  0s      tool.called      act#2/1 book_elsewhere {"seat":7} instead of book
23  0s      tool.done        act#2/1 book_elsewhere → "booked"
24  0s      tool.called      act#2/2 look {}
25  0s      tool.done        act#2/2 look → "nothing"
26  0s      tool.called      act#2/3 look {}
27  0s      tool.done        act#2/3 look → "nothing"
28  0s      tool.called      act#2/4 look {}
29  0s      tool.done        act#2/4 look → "nothing"  ⇒ stopped
            found    loop (sequence): repeated-sequence calls=["look"] times=3
                     period 1, 3 times, since 25, seen at 29, in act, burned 3 toolCalls
            escape   stop (loop)
            ended    stopped: loop because repeated-sequence calls=["look"] times=3, result {}
ledger   book 1, book_elsewhere 2, look 6, undo of book_elsewhere 1
ended    stopped: loop because repeated-sequence calls=["look"] times=3
spent    3 steps, 9 toolCalls
lesson   repeated-sequence calls=["look"] times=3
