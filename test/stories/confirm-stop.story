# A person who is asked to confirm a call may also end the whole thread. An invalid answer is ignored.

graph:
  tools: { pay: { use: flaky, effects: write, confirm: always } }
  nodes:
    work: { use: tool, tool: pay, on: { done: end } }
    end: { final: success }

start
call.proposed pay {"amount":5}
resume applied
----
3   ignored
in       work
pending  work#1 rests on work#1/1, work#1/1? asks 'ask-approval call=pay arguments="{\"amount\":5}"' until 1d
spent    1 steps

resume stop
----
4   ended    stopped: review.stopped because review-stopped, result {}
ended    stopped: review.stopped because review-stopped
spent    1 steps
