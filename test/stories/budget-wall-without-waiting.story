# Wall time runs while the agent works and stops while a question is open.

graph:
  nodes:
    work: { use: ./work.ts#work, on: { done: ask } }
    ask: { use: human, question: Shall I go on?, on: { human.approved: work, human.rejected: end } }
    end: { final: success }
  limits: { duration: 10m }

start
turn
+6m
node.done
----
in       ask
pending  ask#1 asks 'Shall I go on?'
spent    1 steps, 6m

+2d
resume approved
turn
----
in       work
pending  work#2
spent    3 steps, 6m

+5m
call search {} -> x
----
5   found    budget (duration): limit-reached unit=duration limit=600000 of=thread
             period 1, 1 times, since 1, seen at 5, in work ask, burned 3 steps, 11m
    escape   stop (budget.duration)
    ended    stopped: budget.duration because limit-reached unit=duration limit=600000 of=thread, result {}
6   ignored
ended    stopped: budget.duration because limit-reached unit=duration limit=600000 of=thread
spent    3 steps, 11m
lesson   limit-reached unit=duration limit=600000 of=thread
