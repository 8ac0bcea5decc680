# Four comments on one ticket, and two new versions of its description. The text of a comment is not a note of the agent beside its call.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call comment {"ticket":"P-7","comment":"The crash begins with the second login."} -> Saved.
call comment {"ticket":"P-7","comment":"Only Firefox shows it."} -> Saved.
call describe {"ticket":"P-7","description":"Logging in twice crashes Firefox."} -> Saved.
call comment {"ticket":"P-7","comment":"A session that has expired is to blame."} -> Saved.
call describe {"ticket":"P-7","description":"An expired session is not renewed."} -> Saved.
call comment {"ticket":"P-7","comment":"Mended in 2.4."} -> Saved.
----
in       act
pending  act#1
spent    1 steps, 6 toolCalls
