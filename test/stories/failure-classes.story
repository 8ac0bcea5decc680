# How failures are classified. The rules compare statuses and codes first, as whole values, and wording last. Each class has its own edge.

graph:
  nodes:
    work: { use: ./work.ts#work, on: { done: end, error.transient: wait, error.persistent: ask, error.business: explain, error.unknown: look } }
    wait: { use: pass, on: { done: work } }
    ask: { use: pass, on: { done: work } }
    explain: { use: pass, on: { done: work } }
    look: { use: pass, on: { done: work } }
    end: { final: success }
  detect: { recurrence: false, mistakes: false }

start
node.failed HTTP 503
----
2   failed   HTTP 503 [transient, resource, by http-transient]
in       wait
pending  wait#1
spent    1 steps

node.done; node.failed HTTP 401
----
6   failed   HTTP 401 [persistent, resource, by http-credentials]
in       ask
pending  ask#1
spent    3 steps

node.done; node.failed HTTP 404: no such page
----
10  failed   HTTP 404: no such page [persistent, request, by http-request]
in       ask
pending  ask#2
spent    5 steps

node.done; node.failed name=BusinessError the order has been shipped already
----
14  failed   BusinessError: the order has been shipped already [business, request, by business]
in       explain
pending  explain#1
spent    7 steps

node.done; node.failed Something odd happened
----
18  failed   Something odd happened [unknown, resource, by none]
in       look
pending  look#1
spent    9 steps

# "1500 rows" is not a 500, and "id 404" is not a status.
node.done; node.failed too much to send: 1500 rows
----
22  failed   too much to send: 1500 rows [unknown, resource, by none]
in       look
pending  look#2
spent    11 steps

node.done; node.failed id 404 makes no sense here
----
26  failed   id 404 makes no sense here [unknown, resource, by none]
in       look
pending  look#3
spent    13 steps

# Wording is compared last, and the cause of an error after the error itself.
node.done; node.failed the service is temporarily unwell
----
30  failed   the service is temporarily unwell [transient, resource, by says-transient]
in       wait
pending  wait#2
spent    15 steps

node.done; node.failed cause=code=ECONNRESET could not read the page
----
34  failed   could not read the page [transient, resource, by network]
in       wait
pending  wait#3
spent    17 steps
