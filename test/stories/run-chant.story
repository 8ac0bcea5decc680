# A model repeats the same few words endlessly. The runtime aborts its stream, journals the failure, and calls the model again.

graph:
  models: { fast: { id: any, retry: { attempts: 3, base: 1s } } }
  nodes:
    plan: { use: model, model: fast, on: { done: end } }
    end: { final: success }
world:
  models: { fast: { does: ['says I will end the turn now. I will end the turn now. I will end the turn now. I will end the turn now. I will end the turn now. I will end the turn now. I will end the turn now. I will end the turn now. I will end the turn now. I will end the turn now. I will end the turn now.', says done] } }

drive
----
0   0s      thread.started   {}
1   0s      turn.started     plan#1
2   0s      model.called     plan#1/1 fast
3   0s      model.failed     plan#1/1 fast attempt 1: DegenerateOutput: degenerate-output speaker="" times=10 characters=250 text="I will end the turn now. " [transient, request, by degenerate], not for good
4   0s      call.waiting     plan#1/1 fast attempt 2 comes later
5   1.01s   model.called     plan#1/1 fast attempt 2
6   1.01s   model.done       plan#1/1 fast → done
7   1.01s   node.done        plan#1 {"calls":[],"text":"done"} as answer  ⇒ end
            ended    success: goal, result {}
ended    success: goal
spent    1 steps, 2 modelCalls, 240 tokens, 1.01s

