# Twelve cells of a sheet are written, each with the same long answer. The result of a write is in the sheet, not in the answer.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  tools: { set_cell: { use: ./tools.ts#set_cell, effects: write, idempotent: true } }

start
call set_cell {"sheet":"budget","cell":"B2","value":100} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B3","value":103} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B4","value":106} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B5","value":109} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B6","value":112} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B7","value":115} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B8","value":118} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B9","value":121} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B10","value":124} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B11","value":127} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B12","value":130} -> The cell has been updated in the sheet.
call set_cell {"sheet":"budget","cell":"B13","value":133} -> The cell has been updated in the sheet.
----
in       act
pending  act#1
spent    1 steps, 12 toolCalls
