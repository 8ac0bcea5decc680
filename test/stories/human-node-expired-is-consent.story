# The spec treats an expired question as consent. No answer arrives, and the goal is reached.

graph:
  nodes:
    ask: { use: human, question: 'Any objections?', deadline: 2h, on: { human.rejected: no, human.approved: end, human.expired: end } }
    no: { final: failure }
    end: { final: success }

start
+2h
tick
----
1   ended    success: goal, result {}
ended    success: goal
spent    1 steps
