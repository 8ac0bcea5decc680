/** A person who answers truthfully: whether a payment has taken effect is what the ledger says. Other questions get any answer that fits. */
import type { EffectContext } from '../../../src/core/interpretation.ts'
import type { Interrupt } from '../../../src/core/run/effects.ts'
import { decisionsFor, kindOf } from '../../../src/core/review/answers.ts'
import type { Decision } from '../../../src/core/watch/event/event.ts'
import type { Graph } from '../../../src/runtime/ports.ts'
import { replay } from '../../../src/runtime/store/replay.ts'
import { hasPaid } from './history.ts'
import { submit, type World } from './world.ts'

/** Answers most of the open questions of all threads. */
export async function answerQuestions(world: World): Promise<void> {
  const { store, draw } = world
  for (const { thread } of await store.threads()) {
    const graph = graphOf(world.graph, thread)
    const run = graph && (await replay(graph.machine, store, thread))
    for (const effect of run?.pending ?? [])
      if (graph && run && effect.type === 'interrupt' && draw.next() < 0.75) {
        const decision = answerTo(world, thread, { machine: graph.machine, run, effect })
        await submit(world, thread, { type: 'resume', effect: effect.id, decision })
      }
  }
}

function answerTo(world: World, thread: string, asked: EffectContext<Interrupt>): Decision {
  const { draw } = world
  const { effect } = asked
  const fitting = decisionsFor(asked).filter(decision => decision !== 'edited')
  if (kindOf(effect) !== 'call') return draw.pick(fitting)
  if (draw.next() < 0.1) return 'stop'
  return hasPaid(world, thread, effect.call?.call ?? '') ? 'applied' : 'not-applied'
}

/** The graph of a child: each graph of a storm has at most one. */
function graphOf(root: Graph, thread: string): Graph | undefined {
  const depth = (thread.split('/').length - 1) / 2
  let graph: Graph | undefined = root
  for (let level = 0; level < depth; level++) graph = Object.values(graph?.graphs ?? {})[0]
  return graph
}
