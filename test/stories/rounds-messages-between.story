# Two messages arrive before the next round begins. With `interrupt`, both are answered in their order.

graph:
  input: [ask]
  channels: { ask: { type: string } }
  nodes:
    work: { use: pass, on: { done: end } }
    end: { final: success }
  rounds: { busy: interrupt }

start {"ask":"one"}
message {"ask":"two"}
message {"ask":"three"}
round.started
node.done
round.started
node.done
----
1   ended    cancelled: interrupted, result {"ask":"one"}
5   ended    success: goal, result {"ask":"two"}
8   ended    success: goal, result {"ask":"three"}
round    3
ended    success: goal
spent    2 steps

policy.changed {"rounds":{"busy":"rollback"}}
message {"ask":"four"}
message {"ask":"five"}
message {"ask":"six"}
round.started
node.done
----
11  ended    cancelled: interrupted, result {"ask":"four"}
15  ended    success: goal, result {"ask":"six"}
round    5
ended    success: goal
spent    3 steps
