# A custom detector finds what no other does: three different drafts in a row. It is tuned by its name, like any detector.

graph:
  parts: { detectors: [./parts.ts#drafts] }
  tools: { draft: { use: flaky }, send: { use: flaky, effects: write } }
  detect: { drafts: { times: 2 } }
  nodes:
    write: { use: ./work.ts#work, on: { done: end, stall: give_up } }
    give_up: { use: pass, on: { done: end } }
    end: { final: success }

start
call draft {"n":1} -> one
----
in       write
pending  write#1
spent    1 steps, 1 toolCalls

call draft {"n":2} -> two
----
5   found    stall (drafts): custom text="2 drafts on end, and nothing sent"
             period 1, 2 times, since 3, seen at 5, in write, burned 2 toolCalls
    escape   alternative write → give_up
in       give_up
pending  give_up#1
spent    1 steps, 2 toolCalls
lesson   custom text="2 drafts on end, and nothing sent"
