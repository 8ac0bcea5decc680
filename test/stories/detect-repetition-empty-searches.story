# One name after the other is looked for, and nothing comes of it: an empty answer to a search is an answer, too. A few such searches
# are a search; the seventh of nearly the same is none any more.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call bash {"command":"find / -name 'jdk_setup*' 2>/dev/null"} -> ""
call bash {"command":"find / -name 'env_config*' 2>/dev/null"} -> ""
call bash {"command":"find / -name 'java_info*' 2>/dev/null"} -> ""
call bash {"command":"find / -name 'system_vars*' 2>/dev/null"} -> ""
call bash {"command":"find / -name 'install_log*' 2>/dev/null"} -> ""
call bash {"command":"find / -name 'path_notes*' 2>/dev/null"} -> ""
----
9   found    loop (repetition): bash was called 4 times with much the same arguments, and nothing new came of it
             period 1, 4 times, since 3, seen at 3 5 7 9, in act, burned 4 toolCalls
    escape   stop (loop); not retry: it acts on single calls, in place; not rethink: no smarter model is there to think again; not substitute: it acts on single calls, in place; not alternative: no edge leads out of the loop; not rollback: there was no progress to go back to; not review: nobody is there to ask (no `escape.review`)
    ended    stopped: loop, result {}
10  ignored
11  ignored
12  ignored
13  ignored
ended    stopped: loop
spent    1 steps, 4 toolCalls

call bash {"command":"find / -name 'runtime_doc*' 2>/dev/null"} -> ""
----
14  ignored
15  ignored
ended    stopped: loop
spent    1 steps, 4 toolCalls
