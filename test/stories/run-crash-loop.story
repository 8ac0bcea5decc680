# A node kills its process each time. The third process gives up on it, and the thread continues elsewhere.

graph:
  nodes:
    work: { use: ./work.ts#work, on: { done: end, error.persistent: other } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: [dies, fails nothing goes any more] }

drive
drive
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      turn.started     work#1 by driver 2
3   0s      turn.started     work#1 by driver 3  ⇒ other
4   0s      turn.started     other#1 by driver 3
5   0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
thrown   Error: the process is gone
thrown   Error: the process is gone
ended    success: goal
spent    2 steps
