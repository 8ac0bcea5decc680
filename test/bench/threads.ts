/** `threads.*`: a hundred threads of thirty steps at once in one process, in threads a second. `full`: each append survives a power cut. */
import { join } from 'node:path'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { type Figure, figure } from './figure.ts'
import { graphOf, laps } from './map.ts'
import { inFolder, interleaved, quietDisk, timed } from './measure.ts'
import { warmedUp } from './warm-up.ts'

const THREADS = 100
const STEPS = 30

export async function manyThreads(): Promise<readonly Figure[]> {
  await warmedUp()
  const { memory, sqlite, full } = await interleaved(
    {
      memory: () => perSecond(memoryStore()),
      sqlite: () => onDisk('NORMAL'),
      full: () => onDisk('FULL'),
    },
    { rounds: 7, warmUp: 2 },
  )
  const named = { memory, sqlite, 'sqlite.full': full }
  return Object.entries(named).map(([name, value]) =>
    figure({ name: `threads.${THREADS}.${name}`, value, unit: 'threads a second' }),
  )
}

const onDisk = (synchronous: 'NORMAL' | 'FULL') =>
  inFolder(async folder => {
    const store = sqliteStore({ file: join(folder, 'bench.db'), synchronous })
    await quietDisk()
    const rate = await perSecond(store)
    await store.close()
    return rate
  })

async function perSecond(store: Store): Promise<number> {
  const graph = graphOf(laps(STEPS))
  const names = Array.from({ length: THREADS }, (_, nth) => `bench-${nth}`)
  const ms = await timed(() =>
    Promise.all(
      names.map(async name => {
        const start = { input: {}, seed: 1 }
        const { ended } = await drive(nodePorts({ graph, store }), name, { start })
        if (ended?.outcome !== 'success') throw new Error(`${name} ended by ${ended?.reason}`)
      }),
    ),
  )
  return (THREADS * 1_000) / ms
}
