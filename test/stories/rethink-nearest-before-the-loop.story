# No model works inside the loop, so the nearest model before it rethinks.

graph:
  models: { fast: { id: small, smarter: smart }, smart: { id: large } }
  nodes:
    plan: { use: model, model: fast, on: { done: poll } }
    poll: { use: ./work.ts#poll, on: { done: wait } }
    wait: { use: pass, on: { done: poll } }
    end: { final: success }

start
ask fast -> says go
node.done
3x call look {} -> nothing
----
11  found    loop (sequence): repeated-sequence calls=["look"] times=3
             period 1, 3 times, since 7, seen at 11, in poll, burned 3 toolCalls
    escape   rethink poll → plan
in       plan
pending  plan#2 thinking again
spent    2 steps, 3 toolCalls, 1 modelCalls
lesson   repeated-sequence calls=["look"] times=3

