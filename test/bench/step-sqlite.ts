/**
 * `step.sqlite.*`: one durable step, beside LangGraph with its SqliteSaver at equal durability: write-ahead log,
 * `synchronous=NORMAL`, each step stored before the next begins. `full`: ours at our default, which survives a power cut.
 */
import { join } from 'node:path'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { type Figure, figure } from './figure.ts'
import { durablePeerRun, SQLITE_SAVER } from './langgraph.ts'
import { LAP } from './lap.ts'
import { inFolder, interleaved, timed } from './measure.ts'
import { ourRun } from './ours.ts'

export async function stepSqlite(): Promise<readonly Figure[]> {
  return [...(await beside(400, { rounds: 7, timesBetter: 10 })), ...(await beside(1_600, { rounds: 3, timesBetter: 25 }))]
}

async function beside(steps: number, { rounds, timesBetter }: { rounds: number; timesBetter: number }): Promise<readonly Figure[]> {
  const laps = steps / LAP
  const perStep = (ms: number) => (ms * 1_000) / steps
  const fresh = (work: (file: string) => Promise<unknown>) => inFolder(async folder => perStep(await timed(() => work(join(folder, 'bench.db')))))
  const { normal, peer, full } = await interleaved(
    {
      normal: () => fresh(file => durableRun(file, laps, 'NORMAL')),
      peer: () => fresh(file => durablePeerRun(file, laps)),
      full: () => fresh(file => durableRun(file, laps, 'FULL')),
    },
    { rounds },
  )
  const versus = { name: SQLITE_SAVER, value: peer }
  return [
    figure({ name: `step.sqlite.${steps}`, value: normal, unit: 'µs', peer: versus, timesBetter }),
    figure({ name: `step.sqlite.full.${steps}`, value: full, unit: 'µs', peer: versus }),
  ]
}

/** Opening and closing the file belongs to it. */
async function durableRun(file: string, laps: number, synchronous: 'FULL' | 'NORMAL'): Promise<void> {
  const store = sqliteStore({ file, synchronous })
  try {
    await ourRun(store, laps)
  } finally {
    await store.close()
  }
}
