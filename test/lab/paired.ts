/** How much equal weather helps: the variance of the difference of two policies on the same seeds, beside that on different seeds. */
import { HEALTHY } from '../../src/simulate/scenario/condition.ts'
import type { SimulatedRun } from '../../src/simulate/run/simulate.ts'

/** What is compared in two runs. */
export const COMPARED = {
  steps: ({ spent }: SimulatedRun) => spent.steps,
  'tool calls': ({ spent }: SimulatedRun) => spent.toolCalls,
  'model calls': ({ spent }: SimulatedRun) => spent.modelCalls,
  time: ({ took }: SimulatedRun) => took,
} as const satisfies Record<string, (run: SimulatedRun) => number>

export interface Gain {
  /** How many times lower the paired variance is; infinite if the policies do not differ, or by a constant. */
  readonly times: number
  /**
   * The most that any pairing can give, with a correlation of 1: the variances do not cancel if they differ. Absent if one of the
   * policies has no variance, so no weather matters to it.
   */
  readonly most?: number
}

/** Both lists are in the order of the seeds. `undefined` if neither has a variance. */
export function gainOf(first: readonly number[], second: readonly number[]): Gain | undefined {
  const [a, b] = [variance(first), variance(second)]
  if (a + b === 0) return undefined
  const paired = variance(first.map((value, index) => value - (second[index] ?? Number.NaN)))
  const times = (a + b) / paired
  if (a === 0 || b === 0) return { times }
  return { times, most: (a + b) / (Math.sqrt(a) - Math.sqrt(b)) ** 2 }
}

type Runs = Readonly<Record<string, readonly SimulatedRun[]>>

/** Each two policies of a scenario. */
export const pairsOf = (runs: Runs): readonly (readonly [string, string])[] => {
  const names = Object.keys(runs).filter(name => name !== HEALTHY)
  return names.flatMap((a, index) => names.slice(index + 1).map(b => [a, b] as const))
}

/** The gains of all pairs in all that is compared. */
export const gainsOf = (runs: Runs): readonly Gain[] =>
  pairsOf(runs).flatMap(([a, b]) =>
    Object.values(COMPARED).flatMap(
      value => gainOf((runs[a] ?? []).map(value), (runs[b] ?? []).map(value)) ?? [],
    ),
  )

function variance(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}
