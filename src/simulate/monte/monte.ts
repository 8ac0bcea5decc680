/** Runs a scenario with many seeds and all its policies, in this process. */
import { defined } from '../../core/watch/data/json.ts'
import type { Tape } from '../inject/call.ts'
import { faultsOfTape } from '../inject/decide.ts'
import { HEALTHY } from '../scenario/condition.ts'
import type { Scenario, Seeds } from '../scenario/scenario.ts'
import { simulate, type SimulatedRun, type Subject } from '../run/simulate.ts'
import { boundsOf } from './bound.ts'
import { findDifference } from './difference.ts'
import { figuresOf } from './figures.ts'
import { isBad, type MonteReport, reportOf } from './report.ts'

/** One run to make. `again`: to compare its journal with an earlier one. `healthy`: without faults. */
export interface Trial {
  readonly policy: string
  readonly seed: number
  readonly again?: true
  readonly healthy?: true
  /** Replaces the faults of the scenario. */
  readonly tape?: Tape
}

/** Makes one run. @throws OracleFailed, SystemFailed */
export async function runTrial(subjects: Subjects, trial: Trial): Promise<SimulatedRun> {
  const { policy, seed, healthy, tape = healthy ? [] : undefined } = trial
  const subject = subjects[policy]
  if (!subject) throw new TypeError(`subjects.${policy}: is missing`)
  const { journal, ...run } = await simulate(
    subject,
    tape ? { seed, decide: faultsOfTape(tape) } : { seed },
  )
  return healthy ? { ...run, policy: HEALTHY } : run
}

/** Seeds that run twice, however they end. */
const CHECKED = 3

/** All runs of a scenario. The policy under test also runs without faults, and its first seeds run twice. `repeatsOf` adds those that end badly. */
export function trialsOf({ policies }: Pick<Scenario, 'policies'>, seeds: Seeds): readonly Trial[] {
  const names = Object.keys(policies)
  const list = Array.from({ length: seeds.count }, (_, index) => seeds.from + index)
  const [tested = ''] = names
  return [
    ...list.flatMap(seed => names.map(policy => ({ policy, seed }))),
    ...list.map(seed => ({ policy: tested, seed, healthy: true as const })),
    ...list.slice(0, CHECKED).map(seed => ({ policy: tested, seed, again: true as const })),
  ]
}

/** Finished trials. */
export type Done = readonly (readonly [Trial, SimulatedRun])[]

/** Every seed with which the policy under test ends badly runs twice, too: nondeterminism hurts there. */
export function repeatsOf({ policies }: Pick<Scenario, 'policies'>, done: Done): readonly Trial[] {
  const [tested] = Object.keys(policies)
  const repeated = new Set(done.flatMap(([{ again, seed }]) => (again ? [seed] : [])))
  return done.flatMap(([{ policy, seed, healthy, tape }, run]) =>
    policy === tested && !healthy && !tape && !repeated.has(seed) && isBad(run)
      ? [{ policy, seed, again: true as const }]
      : [],
  )
}

/** The seeds of the first look at an interval. Each further look doubles them: a look at every seed would stop by chance. */
const FIRST_LOOK = 100

/** The seeds to run next; none if all have run, or if the interval is as narrow as `until` asks. */
export function nextSeeds(scenario: Scenario, done: Done): Seeds | undefined {
  const { seeds, until, policies } = scenario
  if (!until) return done.length === 0 ? seeds : undefined
  const [tested] = Object.keys(policies)
  const runs = done.flatMap(([{ policy, again, healthy }, run]) =>
    policy === tested && !again && !healthy ? [run] : [],
  )
  const { low, high } = figuresOf(runs).goal
  const left = until.most - runs.length
  if (left <= 0 || (runs.length > 0 && high - low <= until.width)) return undefined
  const count = Math.min(left, Math.max(FIRST_LOOK, runs.length))
  return { from: seeds.from + runs.length, count }
}

/**
 * The report on finished trials: those that ran again are compared with the first run. The first seed with two journals runs twice more, to
 * find where they differ. @throws OracleFailed, SystemFailed
 */
export async function reportOnTrials(
  scenario: Scenario,
  subjects: Subjects,
  done: Done,
): Promise<MonteReport> {
  const key = ({ policy, seed }: Trial) => `${policy} ${seed}`
  const order = new Map(Object.keys(scenario.policies).map((name, index) => [name, index]))
  const first = done
    .flatMap(([{ again }, run]) => (again ? [] : [run]))
    .toSorted((a, b) => a.seed - b.seed || (order.get(a.policy) ?? 0) - (order.get(b.policy) ?? 0))
  const hashes = new Map(first.map(run => [key(run), run.hash]))
  const changed = done.filter(([trial, { hash }]) => trial.again && hashes.get(key(trial)) !== hash)
  const [tested = ''] = Object.keys(scenario.policies)
  const subject = subjects[tested]
  const bounds =
    subject &&
    boundsOf(
      subject,
      first.filter(({ policy }) => policy === tested),
    )
  const nondeterministic = changed.map(([{ seed }]) => seed)
  const [seed] = nondeterministic
  const difference = subject && seed !== undefined ? await findDifference(subject, seed) : undefined
  return reportOf(scenario, first, { nondeterministic, ...defined({ bounds, difference }) })
}

/** The subjects of a scenario, by policy. */
export type Subjects = Readonly<Record<string, Subject>>

/** The scenario with other seeds. A given number of seeds is not extended. */
export const planOf = (scenario: Scenario, seeds: Seeds | undefined): Scenario =>
  seeds ? { ...scenario, seeds, until: undefined } : scenario

/** The options of `monteCarlo`. */
export interface MonteOptions {
  /** Default: the seeds of the scenario, or as many as `until` asks for. */
  readonly seeds?: Seeds
  readonly onRun?: (run: SimulatedRun, done: number, of: number) => void
}

/**
 * Runs all seeds with all policies, one after the other.
 * @throws OracleFailed, SystemFailed, InvalidScenario
 * @example const { verdict, policies } = await monteCarlo(scenario, { default: { scenario, policy: 'default', graph } })
 */
export async function monteCarlo(
  scenario: Scenario,
  subjects: Subjects,
  { seeds, onRun }: MonteOptions = {},
): Promise<MonteReport> {
  const plan = planOf(scenario, seeds)
  const done: (readonly [Trial, SimulatedRun])[] = []
  const runAll = async (trials: readonly Trial[]) => {
    const of = done.length + trials.length
    for (const trial of trials) {
      const run = await runTrial(subjects, trial)
      done.push([trial, run])
      onRun?.(run, done.length, of)
    }
  }
  for (let next = nextSeeds(plan, done); next; next = nextSeeds(plan, done)) {
    await runAll(trialsOf(plan, next))
  }
  await runAll(repeatsOf(plan, done))
  return reportOnTrials(scenario, subjects, done)
}
