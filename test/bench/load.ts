/** `load.10000`: opening a store and loading a thread of 10,000 steps. */
import { join } from 'node:path'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import { type Figure, figure } from './figure.ts'
import { LAP, type Length } from './lap.ts'
import { inFolder, interleaved, timed } from './measure.ts'
import { machineOf, ourRun, THREAD } from './ours.ts'

const STEPS = 10_000
const LENGTH: Length = { laps: STEPS / LAP, messages: 'each step' }

export async function load(): Promise<readonly Figure[]> {
  return inFolder(async folder => {
    const file = join(folder, 'bench.db')
    const store = sqliteStore({ file })
    const written = await ourRun(store, LENGTH)
    await store.close()
    const machine = machineOf(LENGTH)
    const { ms } = await interleaved(
      {
        ms: () =>
          timed(async () => {
            const again = sqliteStore({ file })
            const run = await replay(machine, again, THREAD)
            await again.close()
            if (run?.seq !== written.seq)
              throw new Error(`loaded up to ${run?.seq} of ${written.seq}`)
          }),
      },
      { rounds: 15, warmUp: 0 },
    )
    return [figure({ name: `load.${STEPS}`, value: ms, unit: 'ms', atMost: 50 })]
  })
}
