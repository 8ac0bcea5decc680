/** A process with a clock at 15 times real speed: `node fast-ports.ts <folder> [store]`. A minute takes four seconds. */
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { nodePorts, systemClock } from '../../src/adapters/node/ports.ts'
import { bindLoaded, loadSpecs } from '../../src/host/drive/load.ts'
import { openStore } from '../../src/host/drive/stored.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Clock, Ports, Sleep } from '../../src/runtime/ports.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { here } from './process.ts'

const SPEED = 15
const sleep: Sleep = (ms, signal) => systemClock.sleep(ms / SPEED, signal)
/** The same in every process. */
const clock: Clock = { now: () => Date.now() * SPEED, sleep, during: work => work(sleep) }

export async function fastPorts(folder: string, store: Store): Promise<Ports> {
  const graph = await bindLoaded(await loadSpecs(here('fixture/slow.yaml')), { workspace: folder })
  const heartbeat = (beat: () => void) => {
    const timer = setInterval(beat, 500 / SPEED)
    return () => clearInterval(timer)
  }
  return { ...nodePorts({ graph, store }), clock, wall: clock.now, heartbeat }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder = '.', place = join(folder, 'threads.db')] = process.argv.slice(2)
  const store = await openStore(place)
  const run = await drive(await fastPorts(folder, store), 't', {
    start: { input: {}, seed: 1 },
  })
  process.stdout.write(`${run.ended?.reason}\n`)
  await store.close()
}
