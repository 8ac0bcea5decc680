# A tool that can reconcile its call is asked first, without a question to a person.

graph:
  tools: { pay: { use: flaky, effects: write, timeout: 5s }, book: { use: flaky, effects: write } }
  nodes:
    pay: { use: tool, tool: pay, args: { amount: 5 }, on: { done: book } }
    book: { use: tool, tool: book, on: { done: end } }
    end: { final: success }
world:
  tools:
    pay: { does: [hangs], reconcile: 'applied {"receipt":7}' }
    book: { does: [fails code=ECONNRESET the line went dead, answers booked], reconcile: not-applied }

drive
ledger
----
0   0s      thread.started   {}
1   0s      turn.started     pay#1
2   0s      tool.called      pay#1/1 pay {"amount":5}
3   5s      tool.failed      pay#1/1 pay attempt 1: TimeoutError: no-answer ms=5000 [indeterminate, resource, by timeout], not for good
4   5s      call.late        pay#1/1 pay failed: "no-answer"
5   5s      call.reconciled  pay#1/1 pay applied, says the tool: {"receipt":7}
6   5s      node.done        pay#1 {"receipt":7}  ⇒ book
7   5s      turn.started     book#1
8   5s      tool.called      book#1/1 book {}
9   5s      tool.failed      book#1/1 book attempt 1: the line went dead [indeterminate, resource, by network], not for good
10  5s      call.reconciled  book#1/1 book not-applied, says the tool: null
11  5s      tool.failed      book#1/1 book attempt 1: the line went dead [transient, resource, by network], not for good
12  5s      call.waiting     book#1/1 book attempt 2 comes later
13  6.1s    tool.called      book#1/1 book {} attempt 2
14  6.1s    tool.done        book#1/1 book → "booked"
15  6.1s    node.done        book#1 "booked"  ⇒ end
            ended    success: goal, result {}
ledger   pay 1, book 2
ended    success: goal
spent    2 steps, 3 toolCalls, 6.1s
