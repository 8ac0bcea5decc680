# The process dies after it sends a notification and before it records that. The next process sends it again under the same id. A recorded
# notification is not sent again.

graph:
  nodes:
    ask: { use: human, question: Shall it be sent?, deadline: 1h, on: { human.approved: end } }
    end: { final: success }
world:
  notify:
    pager: { does: [dies, answers taken] }

drive
ledger
----
0   0s      thread.started   {}
thrown   Error: the process is gone
ledger   pager 1
in       ask
pending  ask#1 asks 'Shall it be sent?' until 1h
spent    nothing

drive as other
drive
ledger
----
1   0s      notified         ask#1 by pager: delivered after 1 attempts (question.opened 0: taken)
ledger   pager 2
in       ask
pending  ask#1 asks 'Shall it be sent?' until 1h
spent    nothing
