/** How far a thread is, for people who wait for it. */
import type { Row, Run } from './run.ts'
import { allLimits } from '../watch/budget/account.ts'
import { type Json, defined, isMap } from '../watch/data/json.ts'
import { failedRoundsIn, isFailedRound } from '../watch/detect/detectors.ts'

export interface Progress {
  /** The steps of the thread so far. */
  readonly steps: number
  /** The limit of steps, with what escapes have granted. Absent without a limit. */
  readonly stepsMax?: number
  /** The latest rounds of calls, in a row, in which every call failed. Of parallel regions, the one with the most. */
  readonly failedRounds: number
  /** What the tool `attempt_completion` has reported in this round. */
  readonly completed?: Completed
}

export interface Completed {
  readonly result: Json
  /** A command that shows the result. */
  readonly command?: string
}

/** Consecutive rounds of calls that failed, and the number at which they are a finding. */
export interface Mistake {
  readonly count: number
  readonly limit: number
}

/** The mistake that the last event of a run has begun. Absent for all other events, and if the detector is off. */
export function mistakeIn({ seq, watch, policy }: Run): Mistake | undefined {
  const { mistakes } = policy.detect
  const region = Object.values(watch.regions).find(({ detectorStates }) =>
    isFailedRound(detectorStates, seq),
  )
  if (!region || !mistakes) return undefined
  return { count: failedRoundsIn(region.detectorStates), limit: mistakes.limit }
}

/** `rows` are all rows of the thread. */
export function progressOf(run: Run, rows: readonly Row[]): Progress {
  const { account, regions } = run.watch
  const limit = allLimits(account, run.policy.limits, []).find(({ name }) => name === 'steps')
  const stepsMax = limit && limit.most < Number.MAX_SAFE_INTEGER ? limit.most : undefined
  const failed = Object.values(regions).map(region => failedRoundsIn(region.detectorStates))
  return {
    steps: account.spent.steps,
    ...defined({ stepsMax }),
    failedRounds: Math.max(0, ...failed),
    ...defined({ completed: completedIn(run, rows) }),
  }
}

function completedIn({ opening }: Run, rows: readonly Row[]): Completed | undefined {
  const done = rows.findLast(
    ({ event }) => event.type === 'node.done' && event.label === 'completed',
  )
  if (done?.event.type !== 'node.done' || done.seq < opening.seq) return undefined
  const { output } = done.event
  const completed = isMap(output) ? output.completed : undefined
  if (!isMap(completed)) return undefined
  const { result = null, command } = completed
  return { result, ...(typeof command === 'string' && { command }) }
}
