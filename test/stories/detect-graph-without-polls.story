# After a poll, the agent works without the status tool. Then the same states without anything new are a loop again.

graph:
  nodes:
    plan: { use: ./work.ts#plan, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: plan } }
    end: { final: success }
  tools: { status: { use: flaky } }
  detect: { tools: { status: { poll: true } } }

start
4x call status {"job":7} -> pending; node.done; node.done
5x node.done
----
30  found    loop (recurrence): repeated-state states=["act","plan"] times=2
             period 2, 2 times, since 22, seen at 22 26 30, in act plan, burned 4 steps, 1 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-state states=["act","plan"] times=2, result {}
31  ignored
32  ignored
ended    stopped: loop because repeated-state states=["act","plan"] times=2
spent    11 steps, 4 toolCalls
lesson   repeated-state states=["act","plan"] times=2
