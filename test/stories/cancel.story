# A person cancels the thread. Work in progress has no further effect.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
turn
tool.called search {}
cancel not needed any more
----
3   ended    cancelled: not needed any more, result {}
ended    cancelled: not needed any more
spent    1 steps, 1 toolCalls

tool.done search found
node.done
----
4   ignored
5   ignored
ended    cancelled: not needed any more
spent    1 steps, 1 toolCalls
