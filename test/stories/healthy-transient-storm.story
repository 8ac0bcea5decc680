# All services are overloaded for a while, and the agent retries each of them as instructed. Transient failures belong to retries and
# breakers. Three of them are not a loop, even three of the same call.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call fetch {"url":"https://one.example"} !! HTTP 503: overloaded, try again later
call fetch {"url":"https://two.example"} !! HTTP 503: overloaded, try again later
call fetch {"url":"https://one.example"} !! HTTP 503: overloaded, try again later
call fetch {"url":"https://two.example"} !! HTTP 503: overloaded, try again later
call fetch {"url":"https://one.example"} !! HTTP 503: overloaded, try again later
call fetch {"url":"https://one.example"} -> page one
call fetch {"url":"https://two.example"} -> page two
----
3   failed   HTTP 503: overloaded, try again later [transient, resource, by http-transient]
5   failed   HTTP 503: overloaded, try again later [transient, resource, by http-transient]
7   failed   HTTP 503: overloaded, try again later [transient, resource, by http-transient]
9   failed   HTTP 503: overloaded, try again later [transient, resource, by http-transient]
11  failed   HTTP 503: overloaded, try again later [transient, resource, by http-transient]
in       act
pending  act#1
spent    1 steps, 7 toolCalls
