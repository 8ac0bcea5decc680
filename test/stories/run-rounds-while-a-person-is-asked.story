# A thread that waits for a person is busy as well. A queued message waits for the answer. An interrupting one closes the question, and a
# later answer is refused.

graph:
  nodes:
    ask: { use: human, question: Go on?, on: { human.approved: end, human.rejected: end } }
    end: { final: success }
  rounds: { busy: queue }
world: {}

drive
submit message {}
drive
----
0   0s      thread.started   {}
1   0s      message          {}
in       ask
waits    {}
pending  ask#1 asks 'Go on?'
spent    nothing

submit resume approved @ask#1
drive
----
2   0s      resume           ask#1 approved  ⇒ end
            ended    success: goal, result {}
3   0s      round.started
round    2
in       ask
pending  ask#2 asks 'Go on?'
spent    1 steps

submit policy.change {"rounds":{"busy":"interrupt"}}
submit message {}
drive
----
4   0s      policy.changed   {"rounds":{"busy":"interrupt"}}
5   0s      message          {}  ⇒ cancelled
            ended    cancelled: interrupted, result {}
6   0s      round.started
round    3
in       ask
pending  ask#3 asks 'Go on?'
spent    1 steps

submit resume approved @ask#2
submit resume approved @ask#3
drive
----
7   0s      resume           ask#3 approved  ⇒ end
            ended    success: goal, result {}
refused  question-closed question=ask#2 open=["ask#3"]
round    3
ended    success: goal
spent    2 steps
