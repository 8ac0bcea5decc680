# After its end, a thread records further events and neither moves nor judges.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
node.done
----
2   ended    success: goal, result {}
ended    success: goal
spent    1 steps

4x call search {} -> nothing
node.failed @act#1 HTTP 503
tick
cancel too late
start
----
3   ignored
4   ignored
5   ignored
6   ignored
7   ignored
8   ignored
9   ignored
10  ignored
11  failed   HTTP 503 [transient, resource, by http-transient]
    ignored
12  ignored
13  ignored
14  ignored
ended    success: goal
spent    1 steps
