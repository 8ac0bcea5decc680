# Where failures go. The table of rules looks at statuses and codes first, whole, and at wording last; each class has its own edge.

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
1   failed   HTTP 503 [transient, resource, by http-transient]
in       wait
pending  wait#1
spent    2 steps

node.done; node.failed HTTP 401
----
3   failed   HTTP 401 [persistent, resource, by http-credentials]
in       ask
pending  ask#1
spent    4 steps

node.done; node.failed HTTP 404: no such page
----
5   failed   HTTP 404: no such page [persistent, request, by http-request]
in       ask
pending  ask#2
spent    6 steps

node.done; node.failed name=BusinessError the order has been shipped already
----
7   failed   BusinessError: the order has been shipped already [business, request, by business]
in       explain
pending  explain#1
spent    8 steps

node.done; node.failed Something odd happened
----
9   failed   Something odd happened [unknown, resource, by none]
in       look
pending  look#1
spent    10 steps

# "1500 rows" is not a 500, and "id 404" is no status.
node.done; node.failed too much to send: 1500 rows
----
11  failed   too much to send: 1500 rows [unknown, resource, by none]
in       look
pending  look#2
spent    12 steps

node.done; node.failed id 404 makes no sense here
----
13  failed   id 404 makes no sense here [unknown, resource, by none]
in       look
pending  look#3
spent    14 steps

# The wording is looked at last, and what caused an error after the error itself.
node.done; node.failed the service is temporarily unwell
----
15  failed   the service is temporarily unwell [transient, resource, by says-transient]
in       wait
pending  wait#2
spent    16 steps

node.done; node.failed cause=code=ECONNRESET could not read the page
----
17  failed   could not read the page [transient, resource, by network]
in       wait
pending  wait#3
spent    18 steps
