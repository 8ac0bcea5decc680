# The thread waits for a person without a driver. A decision for an unknown state is refused, and the question stays open.

graph:
  tools: { search: { use: flaky } }
  nodes:
    work: { use: ./work.ts#work, on: { done: end } }
    other: { use: pass, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h } }
world:
  nodes: { work: [call search, call search, call search, returns too late] }
  tools: { search: { does: [answers nothing] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "nothing"
4   0s      tool.called      work#1/2 search {}
5   0s      tool.done        work#1/2 search → "nothing"
6   0s      tool.called      work#1/3 search {}
7   0s      tool.done        work#1/3 search → "nothing"  ⇒ review
            found    loop (sequence): repeated-sequence calls=["search"] times=3
                     period 1, 3 times, since 3, seen at 7, in work, burned 3 toolCalls
            escape   review in work
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

submit resume approved to=nowhere
drive
----
refused  unknown-target question=review#1 to=nowhere
in       review
pending  review#1 asks 'ask-route' because repeated-sequence calls=["search"] times=3 until 1h
spent    1 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3

submit resume approved to=other
drive
----
8   0s      resume           review#1 approved to other  ⇒ other
9   0s      turn.started     other#1 by driver 3
10  0s      node.done        other#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    2 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
