# The rules of a spec run before the built-in table. Here 404 means "not yet", and a custom code is a business error.

graph:
  nodes:
    work: { use: ./work.ts#work, on: { done: end, error.transient: wait, error.business: explain } }
    wait: { use: pass, on: { done: work } }
    explain: { use: pass, on: { done: work } }
    end: { final: success }
  failures:
    rules:
      - { id: not-yet, status: [404], class: transient }
      - { id: sold-out, code: [SOLD_OUT], class: business }

start
node.failed HTTP 404
----
2   failed   HTTP 404 [transient, request, by not-yet]
in       wait
pending  wait#1
spent    1 steps

node.done; node.failed code=SOLD_OUT no seats left
----
6   failed   no seats left [business, request, by sold-out]
in       explain
pending  explain#1
spent    3 steps
