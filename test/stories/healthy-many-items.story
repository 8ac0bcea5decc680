# One item after another, each confirmed by its answer. That is work, however similar the laps are.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call rename {"from":"a1.txt","to":"b1.txt"} -> renamed a1.txt to b1.txt; call check {"file":"b1.txt"} -> ok
call rename {"from":"a2.txt","to":"b2.txt"} -> renamed a2.txt to b2.txt; call check {"file":"b2.txt"} -> ok
call rename {"from":"a3.txt","to":"b3.txt"} -> renamed a3.txt to b3.txt; call check {"file":"b3.txt"} -> ok
call rename {"from":"a4.txt","to":"b4.txt"} -> renamed a4.txt to b4.txt; call check {"file":"b4.txt"} -> ok
call rename {"from":"a5.txt","to":"b5.txt"} -> renamed a5.txt to b5.txt; call check {"file":"b5.txt"} -> ok
----
in       act
pending  act#1
spent    1 steps, 10 toolCalls

