# A tool that reports a status may answer the same many times. Its agent passes the same states, and waits.

graph:
  models: { fast: { id: any } }
  nodes:
    plan: { use: model, model: fast, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: plan } }
    end: { final: success }
  tools: { status: { use: flaky } }
  detect: { tools: { status: { poll: true } } }

start
12x ask fast -> wants status {"job":7}; node.done; call status {"job":7} -> pending; node.done
----
in       plan
pending  plan#13
spent    24 steps, 12 toolCalls, 12 modelCalls
