# A policy change requires confirmation of every call. It applies from the next call, also to tools that the spec never confirms.

graph:
  tools: { search: { use: flaky, confirm: never } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    end: { final: success }
world:
  nodes: { work: [call search, call search, returns done] }
  tools: { search: { does: [after 10s answers one, answers two] } }

after 5s submit policy.change {"confirm":{"search":"always"}}
drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   5s      policy.changed   {"confirm":{"search":"always"}}
4   10s     tool.done        work#1/1 search → "one"
5   10s     call.proposed    work#1/2 search {}
in       work
pending  work#1 rests on work#1/2, work#1/2? asks 'ask-approval call=search arguments="{}"' until 1d10s
spent    1 steps, 1 toolCalls, 10s
