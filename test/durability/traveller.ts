/**
 * A process that drives threads of journey.yaml to their ends, one folder after another: `node traveller.ts <journeys as JSON>`.
 * It reports by lines: `travelling`, every commit that has stored rows and the last of them, and `arrived`.
 */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { bindLoaded, loadSpecs } from '../../src/host/load.ts'
import { openStore } from '../../src/host/stored.ts'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import type { Effect } from '../../src/core/effects.ts'
import type { Decision } from '../../src/core/watch/event/event.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { deadlyStore, type Spot } from './faults.ts'
import { placeIn } from './place.ts'
import { externalSystemIn } from './external-system.ts'

export interface Journey {
  /** The folder of the store and the external system. */
  readonly folder: string
  /** What reconciles an interrupted call: the tool, or the person who also answers the review. */
  readonly asked: 'tool' | 'person'
  readonly spot?: Spot
}

const SPEC = fileURLToPath(new URL('fixture/journey.yaml', import.meta.url))
const THREAD = 'order'

const loaded = await loadSpecs(SPEC)
for (const journey of JSON.parse(process.argv[2] ?? '[]') as readonly Journey[])
  await travel(journey)

async function travel({ folder, asked, spot }: Journey): Promise<void> {
  process.env.WORLD = folder
  process.env.RECONCILE = asked === 'tool' ? '1' : ''
  const graph = await bindLoaded(loaded, { workspace: folder })
  say('travelling')
  const store = deadlyStore(await openStore(placeIn(folder)), spot, (commit, seq, thread) =>
    say(`commit ${commit} stored ${seq} of ${thread}`),
  )
  for (;;) {
    const run = await drive(nodePorts({ graph, store }), THREAD, {
      start: { input: { order: 'a clock' }, seed: 7 },
    })
    if (run.ended) break
    await answer(store, folder, { thread: THREAD, pending: run.pending })
    for (const { thread } of (await store.threads()).filter(
      ({ thread, status }) => thread !== THREAD && status === 'waiting',
    ))
      await answerBelow(graph, store, { folder, thread })
  }
  await store.close()
  say('arrived')
}

/** The child asks a question as its parent would; the answer continues it. */
async function answerBelow(
  graph: Graph,
  store: Store,
  { folder, thread }: { folder: string; thread: string },
): Promise<void> {
  const child = graph.graphs?.courier as Graph
  const run = await replay(child.machine, store, thread)
  await answer(store, folder, { thread, pending: run?.pending ?? [] })
  await drive(nodePorts({ graph: child, store }), thread)
}

async function answer(
  store: Store,
  folder: string,
  { thread, pending }: { thread: string; pending: readonly Effect[] },
): Promise<void> {
  for (const effect of pending) {
    if (effect.type !== 'interrupt') continue
    const about = effect.call && externalSystemIn(folder).find(`${thread}/${effect.call.call}`)
    const decision: Decision = effect.call ? (about ? 'applied' : 'not-applied') : 'approved'
    const output = about?.result ?? { by: 'kim' }
    const part = effect.about ? { to: 'home' } : decision === 'not-applied' ? {} : { output }
    await store.submit(thread, `answer to ${effect.id}`, {
      type: 'resume',
      effect: effect.id,
      decision,
      ...part,
    })
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
