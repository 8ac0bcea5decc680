/**
 * A process that drives threads of journey.yaml to their ends, one folder after another: `node traveller.ts <journeys as JSON>`.
 * It reports by lines: `travelling`, every commit that has stored rows and the last of them, and `arrived`.
 */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { bindLoaded, loadSpecs } from '../../src/host/drive/load.ts'
import { openStore } from '../../src/host/drive/stored.ts'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import type { Effect } from '../../src/core/run/effects.ts'
import type { Decision } from '../../src/core/watch/event/event.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { type Carrier, type HostName, openCarrier } from './carriers.ts'
import { deadlyStore, type Spot } from './faults.ts'
import { placeIn } from './place.ts'
import { externalSystemIn } from './external-system.ts'

export interface Journey {
  /** The folder of the store and the external system. */
  readonly folder: string
  /** What reconciles an interrupted call: the tool, or the person who also answers the review. */
  readonly asked: 'tool' | 'person'
  /** Default: `drive`. */
  readonly by?: HostName
  readonly spot?: Spot
}

const SPEC = fileURLToPath(new URL('fixture/journey.yaml', import.meta.url))
const THREAD = 'order'

const loaded = await loadSpecs(SPEC)
const journeys = JSON.parse(process.argv[2] ?? '[]') as readonly Journey[]
for (const journey of journeys) await travel(journey)
// Its timers would keep the process alive.
if (journeys.some(({ by }) => by === 'DBOS')) process.stdout.write('', () => process.exit())

async function travel({ folder, asked, by = 'drive', spot }: Journey): Promise<void> {
  process.env.WORLD = folder
  process.env.RECONCILE = asked === 'tool' ? '1' : ''
  const graph = await bindLoaded(loaded, { workspace: folder })
  say('travelling')
  const place = placeIn(folder)
  const store = deadlyStore(await openStore(place), spot, (commit, seq, thread) =>
    say(`commit ${commit} stored ${seq} of ${thread}`),
  )
  const carrier = await openCarrier(by, { graph, store, folder, place })
  const trip = { folder, store, carrier }
  for (;;) {
    const run = await carrier.drive(THREAD, { input: { order: 'a clock' }, seed: 7 })
    if (run.ended) break
    await answer(trip, { thread: THREAD, pending: run.pending })
    for (const { thread } of (await store.threads()).filter(
      ({ thread, status }) => thread !== THREAD && status === 'waiting',
    ))
      await answerBelow(trip, graph, thread)
  }
  await carrier.close()
  await store.close()
  say('arrived')
}

interface Trip {
  readonly folder: string
  readonly store: Store
  readonly carrier: Carrier
}

/** The child asks a question as its parent would; the answer continues it. */
async function answerBelow(trip: Trip, graph: Graph, thread: string): Promise<void> {
  const child = graph.graphs?.courier as Graph
  const run = await replay(child.machine, trip.store, thread)
  await answer(trip, { thread, pending: run?.pending ?? [] })
  await drive(nodePorts({ graph: child, store: trip.store }), thread)
}

async function answer(
  { folder, carrier }: Trip,
  { thread, pending }: { thread: string; pending: readonly Effect[] },
): Promise<void> {
  for (const effect of pending) {
    if (effect.type !== 'interrupt') continue
    const about = effect.call && externalSystemIn(folder).find(`${thread}/${effect.call.call}`)
    const decision: Decision = effect.call ? (about ? 'applied' : 'not-applied') : 'approved'
    const output = about?.result ?? { by: 'kim' }
    const part = effect.about ? { to: 'home' } : decision === 'not-applied' ? {} : { output }
    await carrier.answer(thread, `answer to ${effect.id}`, {
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
