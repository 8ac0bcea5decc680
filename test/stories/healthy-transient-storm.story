# Every service is overloaded for a while, and the agent comes back to each of them, as it is told to: what fails for the time being is the
# affair of retries and breakers. Three such failures are no loop, and neither are three of one call.

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
