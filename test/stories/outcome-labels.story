# `when:` names the outcome from the channels after the writes of the node. The first match wins, and the default is plain `done`.

graph:
  channels: { score: { type: integer, default: 0 }, tries: { type: integer, default: 0 } }
  nodes:
    grade:
      use: ./work.ts#grade
      out: [score, tries]
      when: { good: score >= 80, hopeless: tries > 2 && score < 10 }
      on: { done.good: end, done.hopeless: give, done: grade }
    give: { final: failure }
    end: { final: success }

start
node.done {"score":40,"tries":1}
----
in       grade
pending  grade#2
spent    1 steps

node.done {"score":5,"tries":2}
----
in       grade
pending  grade#3
spent    2 steps

node.done {"score":5,"tries":3}
----
6   ended    failure: failure, result {"score":5,"tries":3}
ended    failure: failure
spent    3 steps
