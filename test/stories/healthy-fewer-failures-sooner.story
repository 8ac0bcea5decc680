# One test fewer fails each time, with any duration. That is progress, also when the number touches a letter (`3x`, `v2`).

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call tests {"file":"a"} -> "4 failed, 3x retried, v2 in 0.13s"
call tests {"file":"a"} -> "3 failed, 3x retried, v2 in 0.13s"
call tests {"file":"a"} -> "2 failed, 3x retried, v2 in 0.13s"
call tests {"file":"a"} -> "2 failed, 4x retried, v2 in 0.13s"
call tests {"file":"a"} -> "2 failed, 4x retried, v3 in 0.13s"
----
in       act
pending  act#1
spent    1 steps, 5 toolCalls
