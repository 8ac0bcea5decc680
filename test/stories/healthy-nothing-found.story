# Five empty answers to five different questions are five answers.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call grep {"pattern":"initTracer"} -> no matches; call grep {"pattern":"setupTracing"} -> no matches; call grep {"pattern":"startTelemetry"} -> no matches
call grep {"pattern":"otelSetup"} -> no matches; call grep {"pattern":"newTracer"} -> no matches; call read {"file":"main.go"} -> package main
----
in       act
pending  act#1
spent    1 steps, 6 toolCalls

