# The same build fails three times in an afternoon, with productive work in between. That is not a loop.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call build {} !! JAVA_HOME is not set
call read {"file":"a"} -> A; call read {"file":"b"} -> B; call read {"file":"c"} -> C
call build {"offline":true} !! JAVA_HOME is not set
call read {"file":"d"} -> D; call read {"file":"e"} -> E; call read {"file":"f"} -> F
call build {"quiet":true} !! JAVA_HOME is not set
----
3   failed   JAVA_HOME is not set [unknown, resource, by none]
11  failed   JAVA_HOME is not set [unknown, resource, by none]
19  failed   JAVA_HOME is not set [unknown, resource, by none]
in       act
pending  act#1
spent    1 steps, 9 toolCalls
