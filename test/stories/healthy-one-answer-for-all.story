# Every written file and every removal returns the same words. An answer that very different calls also receive does not make similar
# calls equal.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call bash {"command":"cat > transform.py <<EOF def solve(grid): rows = repeat(grid) return rows EOF"} -> exit code 0, output below: (none)
call bash {"command":"cat > check.py <<EOF import transform print(expected == actual) EOF"} -> exit code 0, output below: (none)
call bash {"command":"python check.py"} -> False, row 1 differs
call bash {"command":"cat > transform.py <<EOF def solve(grid): rows = mirror(grid) return rows EOF"} -> exit code 0, output below: (none)
call bash {"command":"python check.py"} -> False, row 2 differs
call bash {"command":"rm -rf build"} -> exit code 0, output below: (none)
call bash {"command":"cat > transform.py <<EOF def solve(grid): rows = rotate(grid) return rows EOF"} -> exit code 0, output below: (none)
call bash {"command":"python check.py"} -> False, row 5 differs
call bash {"command":"cat > transform.py <<EOF def solve(grid): rows = swap(grid) return rows EOF"} -> exit code 0, output below: (none)
----
in       act
pending  act#1
spent    1 steps, 9 toolCalls
