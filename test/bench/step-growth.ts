/** `step.sqlite.growth`: the cost of a step after 10,000 steps, relative to that after 100. */
import { join } from 'node:path'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { type Figure, figure } from './figure.ts'
import { LAP } from './lap.ts'
import { inFolder, median, quietDisk } from './measure.ts'
import { ourRun } from './ours.ts'
import { warmedUp } from './warm-up.ts'

const STEPS = 10_400
/** Steps of a window: more than enough for the checkpoints in it to count in its mean. */
const WINDOW = 400
const ROUNDS = 5

export async function stepGrowth(): Promise<readonly Figure[]> {
  await warmedUp()
  await lapTimes()
  const early: number[] = []
  const late: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const times = await lapTimes()
    early.push(stepAround(100, times))
    late.push(stepAround(10_000, times))
  }
  return [
    figure({ name: 'step.sqlite.at100', value: median(early), unit: 'µs' }),
    figure({ name: 'step.sqlite.at10000', value: median(late), unit: 'µs' }),
    figure({
      name: 'step.sqlite.growth',
      value: median(late.map((time, round) => time / (early[round] ?? Number.NaN))),
      unit: 'times',
      atMost: 1.1,
    }),
  ]
}

/** When each lap of a run began, in ms. */
async function lapTimes(): Promise<readonly number[]> {
  return inFolder(async folder => {
    const store = sqliteStore({ file: join(folder, 'bench.db'), synchronous: 'NORMAL' })
    const times: number[] = []
    await quietDisk()
    await ourRun(store, { laps: STEPS / LAP, messages: 'each step' }, () =>
      times.push(performance.now()),
    )
    await store.close()
    return times
  })
}

/** The mean cost in µs of the steps of the window around this one, or of the first window. */
function stepAround(step: number, times: readonly number[]): number {
  const first = Math.max(0, (step - WINDOW / 2) / LAP)
  const last = first + WINDOW / LAP
  return (((times[last] ?? Number.NaN) - (times[first] ?? Number.NaN)) * 1_000) / WINDOW
}
