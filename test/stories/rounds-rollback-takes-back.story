# With `rollback`, a message ends the round and discards its context, including its own message. The next round begins where that one
# began; the first began from the empty context. Lessons, entries and spending are never discarded.

graph:
  input: [ask]
  channels: { ask: { reducer: append }, note: {} }
  output: [ask, note]
  nodes:
    read: { use: ./work.ts#work, out: { note: . }, on: { done: work } }
    work: { use: pass, on: { done: end } }
    end: { final: success }
  rounds: { busy: rollback }

start {"ask":"one"}
node.done "first"
message {"ask":"two"}
----
3   ended    cancelled: interrupted, result {"ask":["one"],"note":"first"}
ended    cancelled: interrupted
waits    {"ask":"two"}, and takes back the round before
spent    1 steps

round.started
node.done "second"
node.done
----
8   ended    success: goal, result {"ask":["two"],"note":"second"}
round    2
ended    success: goal
spent    3 steps

message {"ask":"three"}
node.done "third"
message {"ask":"four"}
round.started
node.done "fourth"
node.done
----
12  ended    cancelled: interrupted, result {"ask":["two","three"],"note":"third"}
17  ended    success: goal, result {"ask":["two","four"],"note":"fourth"}
round    4
ended    success: goal
spent    6 steps
