# Edit, test, edit, test: the tests give a different result each time, so the laps are work.

graph:
  nodes:
    edit: { use: ./work.ts#edit, on: { done: test } }
    test: { use: ./work.ts#test, on: { done.green: end, done: edit } }
    end: { final: success }
  tools: { write: { use: flaky, effects: write } }

start
call write {"file":"a","text":"1"} -> ok; node.done; call test {} -> 9 failed; node.done
call write {"file":"a","text":"2"} -> ok; node.done; call test {} -> 4 failed; node.done
call write {"file":"a","text":"3"} -> ok; node.done; call test {} -> 4 failed in another place; node.done
call write {"file":"a","text":"4"} -> ok; node.done; call test {} -> 0 failed; node.done label=green
----
32  ended    success: goal, result {}
ended    success: goal
spent    8 steps, 8 toolCalls
