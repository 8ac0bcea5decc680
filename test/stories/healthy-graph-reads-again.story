# A graph agent reads three pages, and then two of them again. It passes the same state five times, but each time after another page, and
# it has read no page three times.

graph:
  models: { fast: { id: any } }
  nodes:
    plan: { use: model, model: fast, on: { done: act } }
    act: { use: ./work.ts#act, on: { done: plan } }
    end: { final: success }
  tools: { read: { use: flaky } }

start
ask fast -> wants read {"page":"a"}; node.done; call read {"page":"a"} -> The first page is about tea.; node.done
ask fast -> wants read {"page":"b"}; node.done; call read {"page":"b"} -> The second page is about coffee.; node.done
ask fast -> wants read {"page":"c"}; node.done; call read {"page":"c"} -> The third page is about milk.; node.done
ask fast -> wants read {"page":"a"}; node.done; call read {"page":"a"} -> The first page is about tea.; node.done
ask fast -> wants read {"page":"b"}; node.done; call read {"page":"b"} -> The second page is about coffee.; node.done
----
in       plan
pending  plan#6
spent    10 steps, 5 toolCalls, 5 modelCalls
