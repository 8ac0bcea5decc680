# Notifiers that refuse, hang or never answer are abandoned after their attempts. The question stays open and can be answered.

graph:
  nodes:
    ask: { use: human, question: Shall it be sent?, deadline: 1h, on: { human.approved: end } }
    end: { final: success }
world:
  notify:
    refuses: { does: [fails HTTP 403] }
    hangs: { does: [hangs] }
    redirects: { does: ['fails HTTP 302'] }

drive
ledger
----
0   0s      thread.started   {}
1   0s      notified         ask#1 by refuses: failed after 1 attempts (HTTP 403)
2   0s      notified         ask#1 by redirects: failed after 1 attempts (HTTP 302)
3   33.15s  notified         ask#1 by hangs: failed after 3 attempts (no-answer)
ledger   refuses 1, hangs 3, redirects 1
in       ask
pending  ask#1 asks 'Shall it be sent?' until 1h
spent    nothing

submit resume approved @ask#1
drive
----
4   33.15s  resume           ask#1 approved  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps
