# A live fork repeats all effects under its own keys, which contain its name. The parent does not change.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    work: { use: tool, tool: pay, args: { amount: 5 }, on: { done: end } }
    end: { final: success }
world:
  tools: { pay: { does: [answers key] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 pay {"amount":5}
3   0s      tool.done        work#1/1 pay → "key"
4   0s      node.done        work#1 "key"  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 1 toolCalls

fork at 0 as live
drive
ledger
effects
----
thread   story-live
1   0s      forked           from story after 0, effects live
2   0s      turn.started     work#1 by driver 2
3   0s      tool.called      work#1/1 pay {"amount":5}
4   0s      tool.done        work#1/1 pay → "key"
5   0s      node.done        work#1 "key"  ⇒ end
            ended    success: goal, result {}
ledger   pay 2
effect   pay {"amount":5} irreversible, known by 4: effect-applied
ended    success: goal
spent    1 steps, 1 toolCalls
