# It is unknown whether the payment was made. The node rests until a person has checked, and continues from there.

graph:
  tools: { pay: { use: flaky, effects: write } }
  nodes:
    act: { use: tool, tool: pay, on: { done: end } }
    end: { final: success }

start
turn
call pay {"amount":5} !! class=indeterminate no answer within 30000 ms
----
3   failed   no answer within 30000 ms [indeterminate, request, by story]
in       act
pending  act#1 rests on act#1/1, act#1/1? asks 'ask-outcome call=pay' until 1d
spent    1 steps, 1 toolCalls

# Only `applied` and `not-applied` answer this question.
resume approved
----
4   ignored
in       act
pending  act#1 rests on act#1/1, act#1/1? asks 'ask-outcome call=pay' until 1d
spent    1 steps, 1 toolCalls

resume applied {"receipt":7}
----
in       act
pending  act#1
spent    1 steps, 1 toolCalls
