# The answer arrives while a notifier still retries. The notifier stops, and the thread continues at once.

graph:
  nodes:
    ask: { use: human, question: Shall it be sent?, deadline: 1h, on: { human.approved: end } }
    end: { final: success }
world:
  notify:
    pager: { does: [fails HTTP 429 retry-after=50s] }
    mail: { does: [hangs] }

after 5s submit resume approved @ask#1
drive
ledger
----
0   0s      thread.started   {}
1   5s      resume           ask#1 approved  ⇒ end
            ended    success: goal, result {}
ledger   pager 1, mail 1
ended    success: goal
spent    1 steps
