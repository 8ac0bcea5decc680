# One folder after another is sorted by a nearly equal command without output. Each command names another folder, so each is a different
# call.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call bash {"command":"npx prettier --write src/components/amber/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/birch/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/cedar/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/delta/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/ember/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/fjord/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/glade/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/heron/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/ivory/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/jetty/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/kayak/index.ts"} -> ""
call bash {"command":"npx prettier --write src/components/larch/index.ts"} -> ""
----
in       act
pending  act#1
spent    1 steps, 12 toolCalls
