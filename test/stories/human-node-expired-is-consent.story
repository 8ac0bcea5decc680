# Where the spec says that silence is consent, nobody answers, and the goal is reached all the same.

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
