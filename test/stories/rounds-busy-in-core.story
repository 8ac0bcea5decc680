# The policy decides how a busy thread treats a message, and may change between two messages. An invalid message is never accepted, and a
# round does not begin without a waiting message.

graph:
  input: [ask]
  channels: { ask: { type: string } }
  nodes:
    work: { use: pass, on: { done: end } }
    end: { final: success }

start {"ask":"one"}
message {"ask":"two"}
round.started
----
1   ignored
2   ignored
in       work
pending  work#1
spent    nothing

policy.changed {"rounds":{"busy":"queue"}}
message {"ask":2}
message {"question":"three"}
message {"ask":"three"}
message {"ask":"four"}
----
4   ignored
5   ignored
in       work
waits    {"ask":"three"}
waits    {"ask":"four"}
pending  work#1
spent    nothing

node.done
----
9   ended    success: goal, result {"ask":"one"}
ended    success: goal
waits    {"ask":"three"}
waits    {"ask":"four"}
spent    1 steps

message {"ask":"five"}
round.started
node.done
----
13  ended    success: goal, result {"ask":"three"}
round    2
ended    success: goal
waits    {"ask":"four"}
waits    {"ask":"five"}
spent    2 steps

cancel enough
round.started
----
15  ignored
round    2
ended    success: goal
spent    2 steps

message {"ask":"six"}
node.done
----
18  ended    success: goal, result {"ask":"six"}
round    3
ended    success: goal
spent    3 steps
