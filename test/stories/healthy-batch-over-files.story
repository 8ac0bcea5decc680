# The same three steps for each file of a list are work, not a loop. It does not matter that `write` answers `ok` each time.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  tools: { write: { use: flaky, effects: write } }

start
call read {"file":"a"} -> aaa; call format {"text":"aaa"} -> AAA; call write {"file":"a","text":"AAA"} -> ok
call read {"file":"b"} -> bbb; call format {"text":"bbb"} -> BBB; call write {"file":"b","text":"BBB"} -> ok
call read {"file":"c"} -> ccc; call format {"text":"ccc"} -> CCC; call write {"file":"c","text":"CCC"} -> ok
call read {"file":"d"} -> ddd; call format {"text":"ddd"} -> DDD; call write {"file":"d","text":"DDD"} -> ok
----
in       act
pending  act#1
spent    1 steps, 12 toolCalls
