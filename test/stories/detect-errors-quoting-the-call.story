# Missing files, each named in its error: the quoted argument does not make it a different error. Reads in between reduce the weight of
# earlier errors, so detection takes a fourth.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  limits: { mistakes: 99 }

start
call open {"path":"setup.txt"} !! cannot open "setup.txt": it does not exist in this project
call open {"path":"README"} -> Read me.; call open {"path":"LICENSE"} -> MIT
call open {"path":"build notes.md"} !! cannot open "build notes.md": it does not exist in this project
call open {"path":"main.c"} -> int main; call open {"path":"util.c"} -> int util
call open {"path":"environment"} !! cannot open "environment": it does not exist in this project
----
3   failed   cannot open "setup.txt": it does not exist in this project [persistent, request, by says-persistent]
9   failed   cannot open "build notes.md": it does not exist in this project [persistent, request, by says-persistent]
15  failed   cannot open "environment": it does not exist in this project [persistent, request, by says-persistent]
in       act
pending  act#1
spent    1 steps, 7 toolCalls

call open {"path":"docs/index.html"} !! cannot open "docs/index.html": it does not exist in this project
----
17  failed   cannot open "docs/index.html": it does not exist in this project [persistent, request, by says-persistent]
    found    stall (errors): repeated-error call=open times=4 ← call-failed call=open times=2 ← error message="cannot open \"docs/index.html\": it does not exist in this project" class=persistent
             period 1, 4 times, since 3, seen at 3 9 15 17, in act, burned 8 toolCalls
    escape   stop (stall)
    ended    stopped: stall because repeated-error call=open times=4 ← call-failed call=open times=2 ← error message="cannot open \"docs/index.html\": it does not exist in this project" class=persistent, result {}
ended    stopped: stall because repeated-error call=open times=4 ← call-failed call=open times=2 ← error message="cannot open \"docs/index.html\": it does not exist in this project" class=persistent
spent    1 steps, 8 toolCalls
lesson   repeated-error call=open times=4 ← call-failed call=open times=2 ← error message="cannot open \"docs/index.html\": it does not exist in this project" class=persistent
