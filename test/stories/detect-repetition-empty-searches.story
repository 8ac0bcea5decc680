# Searches for one name after another find nothing. An empty answer to a search is an answer. A few such searches are healthy; the fifth
# nearly equal one is a loop.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call bash {"command":"find / -name 'jdk_setup*' 2>/dev/null"} -> ""
call bash {"command":"find / -name 'env_config*' 2>/dev/null"} -> ""
call bash {"command":"find / -name 'java_info*' 2>/dev/null"} -> ""
call bash {"command":"find / -name 'system_vars*' 2>/dev/null"} -> ""
----
in       act
pending  act#1
spent    1 steps, 4 toolCalls

call bash {"command":"find / -name 'install_log*' 2>/dev/null"} -> ""
----
11  found    loop (repetition): repeated-call call=bash times=5 arguments=similar result=nothing-new
             period 1, 5 times, since 3, seen at 3 5 7 9 11, in act, burned 5 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-call call=bash times=5 arguments=similar result=nothing-new, result {}
ended    stopped: loop because repeated-call call=bash times=5 arguments=similar result=nothing-new
spent    1 steps, 5 toolCalls
lesson   repeated-call call=bash times=5 arguments=similar result=nothing-new
