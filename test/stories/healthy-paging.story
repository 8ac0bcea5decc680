# Page after page of one list: the same tool, always with different arguments and different answers.

graph:
  channels: { page: { type: integer, default: 0 } }
  nodes:
    act: { use: ./work.ts#act, out: [page], on: { done: more } }
    more: { use: pass, when: { again: page < 5 }, on: { done.again: act, done: end } }
    end: { final: success }

start
call list {"page":1} -> a b c; node.done {"page":1}; node.done
call list {"page":2} -> d e f; node.done {"page":2}; node.done
call list {"page":3} -> g h i; node.done {"page":3}; node.done
call list {"page":4} -> j k l; node.done {"page":4}; node.done
call list {"page":5} -> m; node.done {"page":5}; node.done
----
30  ended    success: goal, result {"page":5}
ended    success: goal
spent    10 steps, 5 toolCalls
