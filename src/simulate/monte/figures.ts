/** The figures of many runs: the outcome mix and the costs of each policy, and the paired differences between policies. */
import { mapFields } from '../../core/watch/data/json.ts'
import { OUTCOMES, type SimulatedOutcome } from '../oracle/outcome.ts'
import type { SimulatedRun } from '../run/simulate.ts'
import {
  bootstrapMean,
  holm,
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
    /** Runs that reach the goal: success or degraded. */
    readonly goal: Rate
    /** Runs that end in success, degraded or handed off. */
    readonly escaped: Rate
    /** Runs that violate a condition of the oracle. */
    readonly violations: Rate
    /** Runs with a finding of a loop. */
    readonly loops: Rate
    /** Runs with an escape. */
    readonly escapes: Rate
    /** Runs with a true loop, by `progress` of the fake system. */
    readonly trueLoops: Rate
    /** Of the runs with a true loop: those that end in success, degraded or handed off. */
    readonly escapedLoops: Rate
    /** Of the true loops: those that a detector found. */
    readonly detected: Rate
    /** Findings of a loop without a true loop, for each 1,000 healthy steps. */
    readonly falseAlarms: number
    readonly faults: number
  }

const GOAL: readonly SimulatedOutcome[] = ['success', 'degraded']
const ESCAPED: readonly SimulatedOutcome[] = ['success', 'degraded', 'handed off']

export function figuresOf(runs: readonly SimulatedRun[]): PolicyFigures {
  const rate = (test: (run: SimulatedRun) => boolean) =>
    wilson(runs.filter(test).length, runs.length)
  return {
    runs: runs.length,
    ...(mapFields(OUTCOME_KEYS, name => rate(({ outcome }) => outcome === name)) as Readonly<
      Record<OutcomeKey, Rate>
    >),
    goal: rate(({ outcome }) => GOAL.includes(outcome)),
    escaped: rate(({ outcome }) => ESCAPED.includes(outcome)),
    violations: rate(({ violations }) => violations.length > 0),
    loops: rate(({ findings }) => findings.some(({ kind }) => kind === 'loop')),
    ...(mapFields(COSTS, cost => spreadOf(runs.map(cost))) as Readonly<Record<CostKey, Spread>>),
    escapes: rate(({ escapes }) => escapes.length > 0),
    ...loopFigures(runs),
    faults: runs.reduce((sum, { tape }) => sum + tape.length, 0),
  }
}

function loopFigures(runs: readonly SimulatedRun[]) {
  const looping = runs.filter(({ truth }) => truth !== undefined && truth.loops.length > 0)
  const loops = looping.flatMap(({ truth }) => truth?.loops ?? [])
  const total = (of: 'falseAlarms' | 'healthySteps') =>
    runs.reduce((sum, { truth }) => sum + (truth?.[of] ?? 0), 0)
  return {
    trueLoops: wilson(looping.length, runs.length),
    escapedLoops: wilson(
      looping.filter(({ outcome }) => ESCAPED.includes(outcome)).length,
      looping.length,
    ),
    detected: wilson(loops.filter(({ noticed }) => noticed !== undefined).length, loops.length),
    falseAlarms: (1_000 * total('falseAlarms')) / Math.max(1, total('healthySteps')),
  }
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => quantile(sorted, part)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) ?? 0 }
}

/** A difference of rates. `p`: the exact McNemar test. `holm`: p, corrected for the comparisons with all policies of the report. */
export type RateDifference = Difference & Readonly<Record<'p' | 'holm' | 'wins' | 'losses', number>>

/** The policy under test minus another one, on the same seeds. `goal` counts success and degraded. */
export type PolicyDifference = Readonly<Record<CostKey, Difference>> &
  Readonly<Record<'success' | 'goal', RateDifference>>

type Pairs = readonly (readonly [SimulatedRun, SimulatedRun])[]

export function differenceOf(
  tested: readonly SimulatedRun[],
  other: readonly SimulatedRun[],
): PolicyDifference {
  const bySeed = new Map(other.map(run => [run.seed, run]))
  const pairs: Pairs = tested.flatMap(run => {
    const partner = bySeed.get(run.seed)
    return partner ? [[run, partner] as const] : []
  })
  return {
    ...(mapFields(COSTS, cost => meanOf(pairs, cost)) as Readonly<Record<CostKey, Difference>>),
    success: rateDifference(pairs, ({ outcome }) => outcome === 'success'),
    goal: rateDifference(pairs, ({ outcome }) => GOAL.includes(outcome)),
  }
}

const meanOf = (pairs: Pairs, value: (run: SimulatedRun) => number): Difference =>
  bootstrapMean(pairs.map(([a, b]) => value(a) - value(b)))

function rateDifference(pairs: Pairs, holds: (run: SimulatedRun) => boolean): RateDifference {
  const wins = pairs.filter(([a, b]) => holds(a) && !holds(b)).length
  const losses = pairs.filter(([a, b]) => !holds(a) && holds(b)).length
  const p = mcNemar(wins, losses)
  return { ...meanOf(pairs, run => Number(holds(run))), p, holm: p, wins, losses }
}

type Differences = Readonly<Record<string, PolicyDifference>>

/** Corrects the p values of all comparisons of one report. */
export function withHolm(differences: Differences): Differences {
  const all = Object.values(differences)
  const [goal, success] = (['goal', 'success'] as const).map(key => holm(all.map(of => of[key].p)))
  return Object.fromEntries(
    Object.entries(differences).map(([name, of], index) => [
      name,
      {
        ...of,
        goal: { ...of.goal, holm: goal?.[index] ?? 1 },
        success: { ...of.success, holm: success?.[index] ?? 1 },
      },
    ]),
  )
}

/** The worst runs first; of equal outcomes, the shortest tape first. */
export const byBadness = (a: SimulatedRun, b: SimulatedRun): number =>
  OUTCOMES.indexOf(b.outcome) - OUTCOMES.indexOf(a.outcome) ||
  b.violations.length - a.violations.length ||
  a.tape.length - b.tape.length ||
  a.seed - b.seed
