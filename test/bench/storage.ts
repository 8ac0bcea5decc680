/** `storage.*`: the disk size of a thread in its closed file, with one 500-byte message per step, per byte of its events as JSON. */
import { join } from 'node:path'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { type Figure, figure } from './figure.ts'
import { bytesOfFile } from './hosts/file.ts'
import { peerFile, peerRun, SQLITE_SAVER } from './langgraph.ts'
import { LAP, type Length } from './lap.ts'
import { inFolder } from './measure.ts'
import { ourRun, THREAD } from './ours.ts'

const FEW = 1_600
const MANY = 6_400

export async function storage(): Promise<readonly Figure[]> {
  const few = await ourSize(rich(FEW))
  const many = await ourSize(rich(MANY))
  const lean = await ourSize({ ...rich(FEW), messages: 'each lap' })
  const peer = await peerSize(rich(FEW))
  return [
    figure({
      name: `storage.bytes.${FEW}`,
      value: few.file,
      unit: 'bytes',
      peer: { name: SQLITE_SAVER, value: peer },
    }),
    figure({
      name: `storage.bytesPerEventByte.${FEW}`,
      value: few.file / few.events,
      unit: 'times',
      peer: { name: SQLITE_SAVER, value: peer / few.events },
      atMost: 3,
    }),
    figure({
      name: `storage.bytesPerEventByte.${MANY}`,
      value: many.file / many.events,
      unit: 'times',
      atMost: 3,
    }),
    figure({
      name: `storage.bytesPerEventByte.lean.${FEW}`,
      value: lean.file / lean.events,
      unit: 'times',
      atMost: 3,
    }),
    figure({
      name: 'storage.growth',
      value: many.file / few.file / (MANY / FEW),
      unit: 'times linear',
      atMost: 1.1,
    }),
  ]
}

function rich(steps: number): Length {
  return { laps: steps / LAP, messages: 'each step' }
}

async function ourSize(
  length: Length,
): Promise<{ readonly file: number; readonly events: number }> {
  return inFolder(async folder => {
    const file = join(folder, 'bench.db')
    const store = sqliteStore({ file })
    await ourRun(store, length)
    const events = (await store.rows(THREAD)).reduce(
      (sum, { event }) => sum + Buffer.byteLength(JSON.stringify(event)),
      0,
    )
    await store.close()
    return { file: await bytesOfFile(file), events }
  })
}

async function peerSize(length: Length): Promise<number> {
  return inFolder(async folder => {
    const file = join(folder, 'bench.db')
    const saver = await peerFile(file)
    await peerRun(length, saver)
    saver.db.close()
    return bytesOfFile(file)
  })
}
