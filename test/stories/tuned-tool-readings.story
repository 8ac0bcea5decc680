# Settings describe a tool: a poll may return the same answer many times, pages are read in parts, and for a job only the count of
# completed parts matters.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  tools: { status: { use: flaky }, names: { use: flaky }, job: { use: flaky } }
  detect:
    tools:
      status: { poll: true }
      names: { page: true }
      job: { progress: parts.done }

start
6x call status {"of":"build"} -> still running, please wait
call names {"page":1} -> twenty names; call names {"page":2} -> twenty names; call names {"page":3} -> twenty names; call names {"page":4} -> twenty names
call job {"id":7} -> {"parts":{"done":1},"asked":"first"}; call job {"id":7} -> {"parts":{"done":2},"asked":"second"}; call job {"id":7} -> {"parts":{"done":3},"asked":"third"}
----
in       act
pending  act#1
spent    1 steps, 13 toolCalls

call job {"id":7} -> {"parts":{"done":3},"asked":"fourth"}; call job {"id":7} -> {"parts":{"done":3},"asked":"fifth"}
----
31  found    loop (sequence): repeated-sequence calls=["job"] times=3
             period 1, 3 times, since 27, seen at 31, in act, burned 3 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-sequence calls=["job"] times=3, result {}
ended    stopped: loop because repeated-sequence calls=["job"] times=3
spent    1 steps, 15 toolCalls
lesson   repeated-sequence calls=["job"] times=3

