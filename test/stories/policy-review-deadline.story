# The deadline of a review comes from the policy at the time of the question. An open question keeps its deadline.

graph:
  nodes:
    ask: { use: human, question: Go on?, on: { human.approved: act, human.expired: act } }
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }
  escape: { review: { deadline: 1h } }

start
policy.changed {"escape":{"review":{"deadline":60000,"to":"lead"}}}
----
in       ask
pending  ask#1 asks 'Go on?' until 1h
spent    nothing

resume approved
3x call search {} -> nothing
----
9   found    loop (sequence): repeated-sequence calls=["search"] times=3
             period 1, 3 times, since 5, seen at 9, in act, burned 3 toolCalls
    escape   review in act
in       review
pending  review#1 asks lead 'ask-route' because repeated-sequence calls=["search"] times=3 until 1m
spent    2 steps, 3 toolCalls
lesson   repeated-sequence calls=["search"] times=3
