# A model that sorts letters may answer "urgent" many times, correctly each time. A label is not a monologue.

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

