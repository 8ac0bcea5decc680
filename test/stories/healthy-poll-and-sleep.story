# Poll, sleep, poll: each poll returns something new, and a sleep cannot be futile.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call output {"of":"build"} -> compiling part 1; call shell {"command":"sleep 5"} -> ""; call output {"of":"build"} -> compiling part 2; call shell {"command":"sleep 5"} -> ""
call output {"of":"build"} -> compiling part 3; call shell {"command":"sleep 5"} -> ""; call output {"of":"build"} -> compiling part 4; call shell {"command":"sleep 5"} -> ""
call output {"of":"build"} -> compiling part 5; call shell {"command":"sleep 5"} -> ""; call output {"of":"build"} -> compiling part 6; call shell {"command":"sleep 5"} -> ""
----
in       act
pending  act#1
spent    1 steps, 12 toolCalls

