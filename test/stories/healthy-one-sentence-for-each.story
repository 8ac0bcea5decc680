# Twelve pages exist, and six texts are spam. One sentence that answers many items does not make the items equal. If long, similar
# commands return the same number, they do count as equal.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call check {"url":"https://shop.example/item/1"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/2"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/3"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/4"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/5"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/6"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/7"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/8"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/9"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/10"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/11"} -> {"status":200,"type":"text/html"}; call check {"url":"https://shop.example/item/12"} -> {"status":200,"type":"text/html"}
call classify {"text":"win a new phone today"} -> {"label":"spam","score":0.98}; call classify {"text":"win a new car today"} -> {"label":"spam","score":0.98}; call classify {"text":"win a new house today"} -> {"label":"spam","score":0.98}; call classify {"text":"win a new boat today"} -> {"label":"spam","score":0.98}; call classify {"text":"win a new bike today"} -> {"label":"spam","score":0.98}; call classify {"text":"win a new watch today"} -> {"label":"spam","score":0.98}
----
in       act
pending  act#1
spent    1 steps, 18 toolCalls

call bash {"command":"find /srv/data -type f -size +1k -printf size path | sort -nr | head | cut -f2"} -> 20484096
call bash {"command":"find /srv/data -type f -size +1k -printf size path | sort -nr | head | awk print"} -> 20484096
call bash {"command":"find /srv/data -type f -size +1k -printf size path | sort -nr | head | sed strip"} -> 20484096
call bash {"command":"find /srv/data -type f -size +1k -printf size path | sort -nr | head | tail last"} -> 20484096
----
45  found    loop (repetition): repeated-call call=bash times=4 arguments=similar result=nothing-new
             period 1, 4 times, since 39, seen at 39 41 43 45, in act, burned 4 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-call call=bash times=4 arguments=similar result=nothing-new, result {}
ended    stopped: loop because repeated-call call=bash times=4 arguments=similar result=nothing-new
spent    1 steps, 22 toolCalls
lesson   repeated-call call=bash times=4 arguments=similar result=nothing-new
