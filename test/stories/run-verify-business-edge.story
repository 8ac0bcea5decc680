# A tool judges with a boolean, or with a reason. After the last attempt the result takes the edge of error.business.

graph:
  nodes:
    offer: { use: pass, on: { done: check } }
    check: { use: verify, tool: tests, attempts: 3, on: { done: end, done.rejected: offer, error.business: given_up } }
    given_up: { final: failure }
    end: { final: success }
  tools: { tests: { use: flaky } }
world:
  tools: { tests: { does: [answers false, 'answers {"passed":false,"reason":"2 tests fail"}', 'answers {"passed":false}'] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     offer#1
2   0s      node.done        offer#1 {}  ⇒ check
3   0s      turn.started     check#1
4   0s      tool.called      check#1/1 tests {}
5   0s      tool.done        check#1/1 tests → false
6   0s      node.done        check#1 {"passed":false,"reasons":["'tests' does not accept it"],"messages":[{"role":"user","content":"The result was checked and not accepted:\n- 'tests' does not accept it\nCorrect it."}]} as rejected  ⇒ offer
7   0s      turn.started     offer#2
8   0s      node.done        offer#2 {}  ⇒ check
9   0s      turn.started     check#2
10  0s      tool.called      check#2/1 tests {}
11  0s      tool.done        check#2/1 tests → {"passed":false,"reason":"2 tests fail"}
12  0s      node.done        check#2 {"passed":false,"reasons":["2 tests fail"],"messages":[{"role":"user","content":"The result was checked and not accepted:\n- 2 tests fail\nCorrect it."}]} as rejected  ⇒ offer
13  0s      turn.started     offer#3
14  0s      node.done        offer#3 {}  ⇒ check
15  0s      turn.started     check#3
16  0s      tool.called      check#3/1 tests {}
17  0s      tool.done        check#3/1 tests → {"passed":false}
18  0s      node.failed      check#3 NotVerified: not-verified node=check attempts=3 why="'tests' does not accept it" [business, request, by verify]  ⇒ given_up
            ended    failure: failure, result {}
ended    failure: failure
spent    6 steps, 3 toolCalls
