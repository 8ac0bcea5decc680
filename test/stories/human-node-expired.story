# The question of a node expires, and the node takes its edge for that.

graph:
  nodes:
    ask: { use: human, question: 'Send it?', deadline: 2h, on: { human.approved: end, human.expired: late } }
    late: { final: failure }
    end: { final: success }

start
+2h
tick
----
1   ended    failure: review.expired because review-expired, result {}
ended    failure: review.expired because review-expired
spent    1 steps
