# The same detector is switched off by name: four drafts in a row produce no finding.

graph:
  parts: { detectors: [./parts.ts#drafts] }
  tools: { draft: { use: flaky } }
  detect: { drafts: false }
  nodes:
    write: { use: ./work.ts#work, on: { done: end, stall: end } }
    end: { final: success }

start
call draft {"n":1} -> one; call draft {"n":2} -> two; call draft {"n":3} -> three; call draft {"n":4} -> four
----
in       write
pending  write#1
spent    1 steps, 4 toolCalls
