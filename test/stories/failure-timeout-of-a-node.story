# A node that does not return: at its deadline, the tick takes the `timeout` edge. An earlier tick is ignored.

graph:
  nodes:
    work: { use: ./work.ts#work, timeout: 30s, on: { done: end, timeout: shorter } }
    shorter: { use: ./work.ts#shorter, on: { done: end } }
    end: { final: success }

start
turn
+29s
tick
----
2   ignored
in       work
pending  work#1
spent    1 steps, 29s

+1s
tick
----
in       shorter
pending  shorter#1
spent    1 steps, 30s

# Its late answer changes nothing.
node.done @work#1
----
4   ignored
in       shorter
pending  shorter#1
spent    1 steps, 30s
