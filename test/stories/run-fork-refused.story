# Invalid forks: from an unknown event, with unknown effects, or with an invalid policy.

graph:
  nodes:
    work: { use: pass, on: { done: end } }
    end: { final: success }
world: {}

drive
fork at 9 as live
fork as dry
fork as live {"limits":{"stepz":3}}
fork as live
----
thread   story
0   0s      thread.started   {}
1   0s      turn.started     work#1
2   0s      node.done        work#1 {}  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps
thread   story-live
3   0s      forked           from story after 2, effects live
thrown   InvalidFork: event 9 does not exist in thread 'story'; its last event is 2
thrown   InvalidFork: effects: expected one of refuse, recorded, live, not 'dry'
thrown   InvalidFork: limits.stepz: is unknown; did you mean 'steps'?
ended    success: goal
spent    1 steps

drive
----
thread   story-live
ended    success: goal
spent    1 steps
