# Progress has other names: the played part, the completed count and the elapsed whole seconds are news to a caller that polls.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call status {"of":"export"} -> {"state":"running","position_ms":1200}
call status {"of":"export"} -> {"state":"running","position_ms":2400}
call status {"of":"export"} -> {"state":"running","position_ms":3600}
call status {"of":"export"} -> {"state":"running","position_ms":4800}
call status {"of":"export"} -> {"state":"running","position_ms":6000}
call status {"of":"import"} -> {"state":"running","done":12,"times":1,"elapsed":5}
call status {"of":"import"} -> {"state":"running","done":19,"times":1,"elapsed":10}
call status {"of":"import"} -> {"state":"running","done":26,"times":1,"elapsed":15}
call status {"of":"import"} -> {"state":"running","done":31,"times":1,"elapsed":20}
----
in       act
pending  act#1
spent    1 steps, 9 toolCalls
