/**
 * `step.sqlite.*`: one durable step that adds a message of 500 bytes, beside LangGraph with its SqliteSaver at equal
 * durability: write-ahead log, `synchronous=NORMAL`, each step stored before the next begins. `full`: ours at our default,
 * which survives a power cut. `lean`: with one message a lap, where a peer that saves its whole state has less to save.
 */
import { join } from 'node:path'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { type Figure, figure } from './figure.ts'
import { peerFile, peerRun, SQLITE_SAVER } from './langgraph.ts'
import { LAP, type Length } from './lap.ts'
import { inFolder, interleaved, quietDisk, timed } from './measure.ts'
import { ourRun } from './ours.ts'
import { warmedUp } from './warm-up.ts'

export async function stepSqlite(): Promise<readonly Figure[]> {
  await warmedUp()
  return [
    ...(await beside(400, { rounds: 7, timesBetter: 10 })),
    ...(await beside(1_600, { rounds: 3, timesBetter: 25 })),
  ]
}

async function beside(
  steps: number,
  { rounds, timesBetter }: { rounds: number; timesBetter: number },
): Promise<readonly Figure[]> {
  const rich: Length = { laps: steps / LAP, messages: 'each step' }
  const lean: Length = { laps: steps / LAP, messages: 'each lap' }
  const perStep = (work: (file: string) => Promise<number>) => () =>
    inFolder(async folder => ((await work(join(folder, 'bench.db'))) * 1_000) / steps)
  const { ours, peer, full, oursLean, peerLean } = await interleaved(
    {
      ours: perStep(file => ourTime(file, rich, 'NORMAL')),
      peer: perStep(file => peerTime(file, rich)),
      full: perStep(file => ourTime(file, rich, 'FULL')),
      oursLean: perStep(file => ourTime(file, lean, 'NORMAL')),
      peerLean: perStep(file => peerTime(file, lean)),
    },
    { rounds },
  )
  const versus = { name: SQLITE_SAVER, value: peer }
  return [
    figure({ name: `step.sqlite.${steps}`, value: ours, unit: 'µs', peer: versus, timesBetter }),
    figure({ name: `step.sqlite.full.${steps}`, value: full, unit: 'µs', peer: versus }),
    figure({
      name: `step.sqlite.lean.${steps}`,
      value: oursLean,
      unit: 'µs',
      peer: { name: SQLITE_SAVER, value: peerLean },
    }),
  ]
}

/** In ms, from the first step until the file is closed: what was put off until then belongs to the steps. Making the tables does not. */
async function ourTime(
  file: string,
  length: Length,
  synchronous: 'FULL' | 'NORMAL',
): Promise<number> {
  const store = sqliteStore({ file, synchronous })
  await quietDisk()
  return timed(async () => {
    await ourRun(store, length)
    await store.close()
  })
}

async function peerTime(file: string, length: Length): Promise<number> {
  const saver = await peerFile(file)
  await quietDisk()
  return timed(async () => {
    await peerRun(length, saver)
    saver.db.close()
  })
}
