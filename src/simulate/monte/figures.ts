/** The figures of many runs: the outcome mix and the costs of each policy, and the paired differences between policies. */
import { mapFields } from '../../core/watch/data/json.ts'
import { OUTCOMES, type SimulatedOutcome } from '../oracle/outcome.ts'
import type { SimulatedRun } from '../run/simulate.ts'
import {
  bootstrapMean,
  type Difference,
  mcNemar,
  quantile,
  type Rate,
  wilson,
} from '../statistics/interval.ts'

/** Names of the outcomes in figures and gates. */
export const OUTCOME_KEYS = {
  success: 'success',
  degraded: 'degraded',
  handedOff: 'handed off',
  stoppedClean: 'stopped clean',
  stoppedDirty: 'stopped dirty',
  stuck: 'stuck',
  crashed: 'crashed',
  silentlyWrong: 'silently wrong',
} as const satisfies Record<string, SimulatedOutcome>

type OutcomeKey = keyof typeof OUTCOME_KEYS

/** Costs that are compared. */
const COSTS = {
  steps: ({ spent }: SimulatedRun) => spent.steps,
  toolCalls: ({ spent }: SimulatedRun) => spent.toolCalls,
  modelCalls: ({ spent }: SimulatedRun) => spent.modelCalls,
  tokens: ({ spent }: SimulatedRun) => spent.tokens,
  usd: ({ spent }: SimulatedRun) => spent.usd,
  /** Seconds of virtual time. */
  time: ({ took }: SimulatedRun) => took / 1_000,
} as const

type CostKey = keyof typeof COSTS

/** Quantiles, never means: a few long runs would hide the others. */
export type Spread = Readonly<Record<'p50' | 'p95' | 'p99' | 'max', number>>

/** The figures of one policy. */
export type PolicyFigures = Readonly<Record<OutcomeKey, Rate>> &
  Readonly<Record<CostKey, Spread>> & {
    readonly runs: number
    /** Runs that end in success, degraded or handed off. */
    readonly escaped: Rate
    /** Runs that violate a condition of the oracle. */
    readonly violations: Rate
    /** Runs with a finding of a loop. */
    readonly loops: Rate
    readonly faults: number
  }

const ESCAPED: readonly SimulatedOutcome[] = ['success', 'degraded', 'handed off']

export function figuresOf(runs: readonly SimulatedRun[]): PolicyFigures {
  const rate = (test: (run: SimulatedRun) => boolean) =>
    wilson(runs.filter(test).length, runs.length)
  return {
    runs: runs.length,
    ...(mapFields(OUTCOME_KEYS, name => rate(({ outcome }) => outcome === name)) as Readonly<
      Record<OutcomeKey, Rate>
    >),
    escaped: rate(({ outcome }) => ESCAPED.includes(outcome)),
    violations: rate(({ violations }) => violations.length > 0),
    loops: rate(({ findings }) => findings.some(({ kind }) => kind === 'loop')),
    ...(mapFields(COSTS, cost => spreadOf(runs.map(cost))) as Readonly<Record<CostKey, Spread>>),
    faults: runs.reduce((sum, { tape }) => sum + tape.length, 0),
  }
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => quantile(sorted, part)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) ?? 0 }
}

/** The policy under test minus another one, on the same seeds. */
export type PolicyDifference = Readonly<Record<CostKey, Difference>> & {
  /** `p`: the exact McNemar test. */
  readonly success: Difference & {
    readonly p: number
    readonly wins: number
    readonly losses: number
  }
}

export function differenceOf(
  tested: readonly SimulatedRun[],
  other: readonly SimulatedRun[],
): PolicyDifference {
  const bySeed = new Map(other.map(run => [run.seed, run]))
  const pairs = tested.flatMap(run => {
    const partner = bySeed.get(run.seed)
    return partner ? [[run, partner] as const] : []
  })
  const between = (value: (run: SimulatedRun) => number) =>
    bootstrapMean(pairs.map(([a, b]) => value(a) - value(b)))
  const wins = pairs.filter(([a, b]) => isGoal(a) && !isGoal(b)).length
  const losses = pairs.filter(([a, b]) => !isGoal(a) && isGoal(b)).length
  return {
    ...(mapFields(COSTS, between) as Readonly<Record<CostKey, Difference>>),
    success: { ...between(run => Number(isGoal(run))), p: mcNemar(wins, losses), wins, losses },
  }
}

const isGoal = ({ outcome }: SimulatedRun): boolean => outcome === 'success'

/** The worst runs first; of equal outcomes, the shortest tape first. */
export const byBadness = (a: SimulatedRun, b: SimulatedRun): number =>
  OUTCOMES.indexOf(b.outcome) - OUTCOMES.indexOf(a.outcome) ||
  b.violations.length - a.violations.length ||
  a.tape.length - b.tape.length ||
  a.seed - b.seed
