# A tool may be exempt (`wait_for_ci: false`), or measured otherwise than the rest: two repetitions of `search` are already too many.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  tools: { wait_for_ci: { use: flaky }, search: { use: flaky } }
  detect:
    tools:
      wait_for_ci: false
      search: { sequence: { repeats: 2 } }

start
8x call wait_for_ci {} -> pending
----
in       act
pending  act#1
spent    1 steps, 8 toolCalls

2x call search {"q":"x"} -> nothing
----
21  found    loop (sequence): search 2 times over, with the same arguments and nothing new in the answers
             period 1, 2 times, since 19, seen at 21, in act, burned 2 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    1 steps, 10 toolCalls
