# Two regions of a spec. A loop moves its region to an alternative, and the other continues. When both have ended, the regions are done.

graph:
  tools: { search: { use: flaky }, post: { use: flaky, effects: write } }
  nodes:
    handle:
      regions:
        investigate:
          start: diagnose
          nodes:
            diagnose: { use: tool, tool: search, on: { done: diagnose, done.found: repaired, loop: guess } }
            guess: { use: pass, on: { done: repaired } }
            repaired: { final: success }
        communicate:
          start: announce
          nodes:
            announce: { use: tool, tool: post, on: { done: posted } }
            posted: { final: success }
      on: { done: close }
    close: { use: pass, on: { done: end } }
    end: { final: success }

start
turn
3x call search {"q":"x"} -> nothing @diagnose; node.done @diagnose
----
12  found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 4, seen at 12, in diagnose, burned 2 steps, 3 toolCalls
    escape   alternative of investigate diagnose → guess
13  ignored
in       handle.investigate.guess + communicate.announce
pending  announce#1, guess#1
spent    4 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

call post {"to":"all"} -> sent @announce; node.done @announce
----
in       handle.investigate.guess + communicate.posted
pending  guess#1
spent    4 steps, 4 toolCalls
lesson   repeated-sequence calls=["search"] times=3

node.done @guess
----
in       close
pending  close#1
spent    5 steps, 4 toolCalls
lesson   repeated-sequence calls=["search"] times=3

node.done @close
----
20  ended    success: goal, result {}
ended    success: goal
spent    6 steps, 4 toolCalls
lesson   repeated-sequence calls=["search"] times=3
