# A model that says the same for the third time, and does nothing: it will say it a fourth time.

graph:
  models: { fast: { id: any } }
  nodes:
    think: { use: model, model: fast, on: { done: think } }
    end: { final: success }
  detect: { recurrence: false }

start
2x ask fast -> Let me first think about what is wanted here.; node.done
----
in       think
pending  think#3
spent    2 steps, 2 modelCalls

ask fast -> Let me first think about what is wanted here.
----
11  found    loop (repeatedText): fast said the same 3 times over, and nothing was done
             period 1, 3 times, since 3, seen at 3 7 11, in think, burned 2 steps, 3 modelCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
ended    stopped: loop
spent    3 steps, 3 modelCalls

