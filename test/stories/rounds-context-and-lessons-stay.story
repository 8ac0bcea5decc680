# A message to an ended thread begins a round. The context and the lessons stay, the detectors and the ladder restart, and effect numbers
# continue. The thread stays ended only until the next message.

graph:
  input: [ask]
  channels: { ask: {}, talk: { reducer: append }, n: { type: integer } }
  tools: { look: { use: flaky } }
  nodes:
    read: { use: ./work.ts#work, out: { talk: line }, on: { done: think } }
    think: { use: ./work.ts#work, out: { n: n }, on: { done: end, loop: aside } }
    aside: { use: pass, on: { done: end } }
    end: { final: success }
  output: [ask, talk]

start {"ask":"one"}
node.done {"line":"first"}
3x call look {} -> nothing
node.done
----
9   found    loop (sequence): repeated-sequence calls=["look"] times=3
             period 1, 3 times, since 5, seen at 9, in think, burned 3 toolCalls
    escape   alternative think → aside
11  ended    success: goal, result {"ask":"one","talk":["first"]}
ended    success: goal
spent    3 steps, 3 toolCalls
lesson   repeated-sequence calls=["look"] times=3

message {"ask":"two"}
----
round    2
in       read
pending  read#2
spent    3 steps, 3 toolCalls
lesson   repeated-sequence calls=["look"] times=3

node.done {"line":"second"}
3x call look {} -> nothing
node.done
----
21  found    loop (sequence): repeated-sequence calls=["look"] times=3
             period 1, 3 times, since 17, seen at 21, in think, burned 3 toolCalls
    escape   alternative think → aside
23  ended    success: goal, result {"ask":"two","talk":["first","second"]}
round    2
ended    success: goal
spent    6 steps, 6 toolCalls
lesson   repeated-sequence calls=["look"] times=3
