# The smarter model is the fast one under another name, so rethink does not apply. The ladder uses the other rungs.

graph:
  models: { fast: { id: same, smarter: smart }, smart: { id: same } }
  nodes:
    plan: { use: model, model: fast, command: required, on: { done: plan, noToolCall: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }

start
2x ask fast -> gives no command
----
5   found    noToolCall (noToolCall): no-tool-call model=fast times=2
             period 1, 2 times, since 3, seen at 3 5, in plan, burned 2 modelCalls
    escape   alternative plan → other
in       other
pending  other#1
spent    1 steps, 2 modelCalls
lesson   no-tool-call model=fast times=2

