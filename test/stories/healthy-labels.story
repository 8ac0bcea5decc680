# A model that sorts one letter after the other may say "urgent" many times over, each time rightly: a label is no monologue.

graph:
  models: { fast: { id: any } }
  nodes:
    sort: { use: model, model: fast, on: { done: sort } }
    end: { final: success }
  detect: { recurrence: false }

start
6x ask fast -> urgent; node.done
----
in       sort
pending  sort#7
spent    6 steps, 6 modelCalls

