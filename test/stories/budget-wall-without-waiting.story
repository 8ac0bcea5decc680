# Wall time runs while the agent works, and stands still while a person is asked.

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
<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
5   found    budget (duration): the limit of 600000 ms is reached
             period 1, 1 times, since 1, seen at 5, in work ask, burned 3 steps, 11m
    escape   stop (budget.duration); not retry: it acts on single calls, in place; not rethink: no other thought undoes it; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: going back undoes no such thing; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: budget.duration, result {}
6   ignored
ended    stopped: budget.duration
spent    3 steps, 11m
=======
5   found    budget (duration): limit-reached unit=wall limit=600000 of=thread
             period 1, 1 times, since 1, seen at 5, in work ask, burned 3 steps, 11m duration
    escape   stop (budget.duration)
    ended    stopped: budget.duration because limit-reached unit=wall limit=600000 of=thread, result {}
6   ignored
ended    stopped: budget.duration because limit-reached unit=wall limit=600000 of=thread
spent    3 steps, 11m duration
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
