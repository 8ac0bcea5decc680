# A call in one region waits for confirmation. The other region continues and ends.

graph:
  tools: { pay: { use: flaky, effects: write, confirm: always } }
  nodes:
    both:
      regions:
        left: { start: buy, nodes: { buy: { use: tool, tool: pay, on: { done: bought, error: unbought } }, bought: { final: success }, unbought: { final: failure } } }
        right: { start: one, nodes: { one: { use: pass, on: { done: two } }, two: { use: pass, on: { done: over } }, over: { final: success } } }
      on: { done: end, done.failed: poor }
    end: { final: success }
    poor: { final: failure }
world: { tools: { pay: { does: [answers paid] } } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     buy#1
2   0s      turn.started     one#1
3   0s      call.proposed    buy#1/1 pay {}
4   0s      node.done        one#1 {}  ⇒ two
5   0s      turn.started     two#1
6   0s      node.done        two#1 {}  ⇒ over
in       both.left.buy + right.over
pending  buy#1 rests on buy#1/1, buy#1/1? asks 'ask-approval call=pay arguments="{}"' until 1d
spent    3 steps

submit resume rejected @buy#1/1?
drive
----
7   0s      resume           buy#1/1? rejected
8   0s      turn.started     buy#1 by driver 2
9   0s      tool.failed      buy#1/1 pay attempt 1: NotAllowed: call-rejected call=pay [business, request, by confirm]
10  0s      node.failed      buy#1 NotAllowed: call-rejected call=pay [business, request, by confirm]  ⇒ unbought, poor
            ended    failure: failure, result {}
ended    failure: failure
spent    3 steps
