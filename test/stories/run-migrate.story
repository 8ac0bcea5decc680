# A deploy renames a node and a channel. The waiting thread moves to the new version in one event: its node asks again, and its spending stays. A
# destination that the new version lacks is refused.

graph:
  tools: { search: { use: flaky } }
  channels: { text: { type: string, default: dear reader } }
  nodes:
    work: { use: ./work.ts#work, on: { done: ask } }
    ask: { use: human, question: Send it?, on: { human.approved: end, human.rejected: end, human.expired: end } }
    end: { final: success }
  detect: { sequence: { repeats: 4 }, repetition: false }
world:
  next:
    tools: { search: { use: flaky } }
    channels: { letter: { type: string }, urgent: { type: boolean, default: false } }
    nodes:
      approve: { use: human, question: Is it good?, deadline: 1h, on: { human.approved: look, human.rejected: end, human.expired: end } }
      look: { use: tool, tool: search, on: { done: end, error: end } }
      end: { final: success }
  nodes: { work: [call search] }
  tools: { search: { does: [answers nothing] } }

drive
migrate to ask {"letter":"dear reader"}
migrate to approve
migrate to approve {"letter":7}
----
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      tool.called      work#1/1 search {}
3   0s      tool.done        work#1/1 search → "nothing"
4   0s      node.done        work#1 {}  ⇒ ask
refused  invalid-migration faults=["node: unknown node 'ask'; nodes: approve, look, end"]
refused  invalid-migration faults=["channels.text: unknown channel 'text'; expected one of: letter, urgent"]
refused  invalid-migration faults=["channels.letter: expected string, received number"]
in       ask
pending  ask#1 asks 'Send it?'
spent    1 steps, 1 toolCalls

migrate to approve {"letter":"dear reader"}
drive
----
5   0s      migrated         to approve with {"letter":"dear reader"}  ⇒ approve
in       approve
pending  approve#1 asks 'Is it good?' until 1h
spent    1 steps, 1 toolCalls

submit resume approved @ask#1
submit resume approved @approve#1
drive
ledger
----
6   0s      resume           approve#1 approved  ⇒ look
7   0s      turn.started     look#1 by driver 7
8   0s      tool.called      look#1/1 search {}
9   0s      tool.done        look#1/1 search → "nothing"
10  0s      node.done        look#1 "nothing"  ⇒ end
            ended    success: goal, result {"letter":"dear reader","urgent":false}
ledger   search 2
refused  question-closed question=ask#1 open=["approve#1"]
ended    success: goal
spent    3 steps, 2 toolCalls
