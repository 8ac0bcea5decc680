# A poll whose answer gives the elapsed time in whole seconds. That is a clock, not a measurement of work.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call output {"of":"build"} -> "[5s] compiling"
call output {"of":"build"} -> "[10s] compiling"
call output {"of":"build"} -> "[15s] compiling"
call output {"of":"build"} -> "[20s] compiling"
call output {"of":"tests"} -> "[5 s] compiling"
call output {"of":"tests"} -> "[10 s] compiling"
call output {"of":"tests"} -> "[15 s] compiling"
call output {"of":"tests"} -> "[20 s] compiling"
----
in       act
pending  act#1
spent    1 steps, 8 toolCalls
