# The same test fails after each of three real changes. The earlier evidence is stale, because the code differs each time.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  tools: { write: { use: flaky, effects: write }, test: { use: flaky } }

start
call test {} !! 2 tests fail: parser, printer
call write {"file":"parser","text":"one"} -> written; call test {} !! 2 tests fail: parser, printer
call write {"file":"parser","text":"two"} -> written; call test {} !! 2 tests fail: parser, printer
----
3   failed   2 tests fail: parser, printer [unknown, resource, by none]
7   failed   2 tests fail: parser, printer [unknown, resource, by none]
11  failed   2 tests fail: parser, printer [unknown, resource, by none]
in       act
pending  act#1
spent    1 steps, 5 toolCalls

call write {"file":"printer","text":"three"} -> written; call test {} !! 1 test fails: parser
----
15  failed   1 test fails: parser [unknown, resource, by none]
in       act
pending  act#1
spent    1 steps, 7 toolCalls

