# A node of the graph asks a person, who approves, rejects, or edits with a custom output.

graph:
  channels: { text: { type: string, default: draft } }
  nodes:
    write: { use: ./work.ts#write, out: [text], on: { done: ask } }
    ask: { use: human, question: 'Send it?', deadline: 2h, out: [text], on: { human.approved: end, human.edited: ask, human.rejected: write, human.expired: late } }
    late: { final: failure }
    end: { final: success }

start
node.done {"text":"Dear all"}
----
in       ask
pending  ask#1 asks 'Send it?' until 2h
spent    1 steps

resume rejected
node.done {"text":"Dear friends"}
----
in       ask
pending  ask#2 asks 'Send it?' until 2h
spent    3 steps

resume edited {"text":"Dear friends and foes"}
----
in       ask
pending  ask#3 asks 'Send it?' until 2h
spent    4 steps

resume approved
----
7   ended    success: goal, result {"text":"Dear friends and foes"}
ended    success: goal
spent    5 steps
