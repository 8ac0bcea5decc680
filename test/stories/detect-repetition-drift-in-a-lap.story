# Five steps repeat, and one of them returns a different picture each time. In the third lap, the other steps reveal the loop.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call open {"url":"/home"} -> the home page
call click {"on":"orders"} -> a list of orders
call click {"on":"details"} -> an order in detail
call look {"at":"screen"} -> picture 351
call back {} -> the home page again
call open {"url":"/home"} -> the home page
call click {"on":"orders"} -> a list of orders
call click {"on":"details"} -> an order in detail
call look {"at":"screen"} -> picture 468
call back {} -> the home page again
call open {"url":"/home"} -> the home page
call click {"on":"orders"} -> a list of orders
call click {"on":"details"} -> an order in detail
call look {"at":"screen"} -> picture 585
call back {} -> the home page again
----
31  found    loop (repetition): repeated-call call=back times=3 arguments=same result=nothing-new
             period 1, 3 times, since 11, seen at 11 21 31, in act, burned 11 toolCalls
    escape   stop (loop)
    ended    stopped: loop because repeated-call call=back times=3 arguments=same result=nothing-new, result {}
ended    stopped: loop because repeated-call call=back times=3 arguments=same result=nothing-new
spent    1 steps, 15 toolCalls
lesson   repeated-call call=back times=3 arguments=same result=nothing-new
