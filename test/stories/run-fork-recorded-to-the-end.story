# A recorded fork that makes the same calls as its parent ends like it and performs nothing, and its recorded spending counts. After the
# last recorded answer, the fork makes its own calls.

graph:
  channels: { found: { reducer: append } }
  output: [found]
  tools: { search: { use: flaky }, send: { use: flaky, effects: write } }
  models: { fast: { id: any, price: { input: 10, output: 100 } } }
  nodes:
    think: { use: model, model: fast, on: { done: look } }
    look: { use: tool, tool: search, out: { found: . }, on: { done: tell } }
    tell: { use: tool, tool: send, on: { done: ask } }
    ask: { use: human, question: Fine?, on: { human.approved: more } }
    more: { use: tool, tool: search, out: { found: . }, on: { done: end } }
    end: { final: success }
world:
  tools: { search: { does: [answers one, answers two, answers three] }, send: { does: [answers sent] } }
  models: { fast: { does: [says hello] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     think#1
2   0s      model.called     think#1/1 fast
3   0s      model.done       think#1/1 fast → hello
4   0s      node.done        think#1 {"calls":[],"text":"hello"} as answer  ⇒ look
5   0s      turn.started     look#1
6   0s      tool.called      look#1/1 search {}
7   0s      tool.done        look#1/1 search → "one"
8   0s      node.done        look#1 "one"  ⇒ tell
9   0s      turn.started     tell#1
10  0s      tool.called      tell#1/1 send {}
11  0s      tool.done        tell#1/1 send → "sent"
12  0s      node.done        tell#1 "sent"  ⇒ ask
in       ask
pending  ask#1 asks 'Fine?'
spent    3 steps, 2 toolCalls, 1 modelCalls, 120 tokens, 0.003 usd

fork at 1 as recorded
drive
ledger
effects
----
thread   story-recorded
2   0s      forked           from story after 1, effects recorded
3   0s      turn.started     think#1 by driver 2
4   0s      model.called     think#1/1 fast  (recorded)
5   0s      model.done       think#1/1 fast → hello (recorded)
6   0s      node.done        think#1 {"calls":[],"text":"hello"} as answer  ⇒ look
7   0s      turn.started     look#1 by driver 2
8   0s      tool.called      look#1/1 search {} (recorded)
9   0s      tool.done        look#1/1 search → "one" (recorded)
10  0s      node.done        look#1 "one"  ⇒ tell
11  0s      turn.started     tell#1 by driver 2
12  0s      tool.called      tell#1/1 send {} (recorded)
13  0s      tool.done        tell#1/1 send → "sent" (recorded)
14  0s      node.done        tell#1 "sent"  ⇒ ask
ledger   fast 1, search 1, send 1
in       ask
pending  ask#1 asks 'Fine?'
spent    3 steps, 2 toolCalls, 1 modelCalls, 120 tokens, 0.003 usd

submit resume approved @ask#1
drive
ledger
effects
----
thread   story-recorded
15  0s      resume           ask#1 approved  ⇒ more
16  0s      turn.started     more#1 by driver 3
17  0s      tool.called      more#1/1 search {}
18  0s      tool.done        more#1/1 search → "two"
19  0s      node.done        more#1 "two"  ⇒ end
            ended    success: goal, result {"found":["one","two"]}
ledger   fast 1, search 2, send 1
ended    success: goal
spent    5 steps, 3 toolCalls, 1 modelCalls, 120 tokens, 0.003 usd
