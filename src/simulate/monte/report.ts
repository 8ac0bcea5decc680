/** The report on many runs: figures with their intervals, gates, and the runs to look at. */
import { defined } from '../../core/watch/data/json.ts'
import type { Bounds } from './bound.ts'
import type { JournalDifference } from './difference.ts'
import { type GateResult, gateResults, type GateValues } from './gates.ts'
import { DIFFERENCES, HEALTHY } from '../scenario/condition.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { SimulatedRun } from '../run/simulate.ts'
import { unansweredIn, type UnansweredTimes } from './unanswered.ts'
import {
  byBadness,
  differenceOf,
  figuresOf,
  type PolicyDifference,
  type PolicyFigures,
  withHolm,
} from './figures.ts'

/**
 * - `met`: all gates hold
 * - `failed`: a gate does not hold, or the policy under test violates a condition
 * - `vacuous`: a `sometimes` was never true, so the other results prove little
 * - `nondeterministic`: a seed that ran twice gave two journals
 */
export type MonteVerdict = 'met' | 'failed' | 'vacuous' | 'nondeterministic'

/** The result of many runs, as plain JSON. */
export interface MonteReport {
  readonly scenario: string
  readonly verdict: MonteVerdict
  /** The policy under test. */
  readonly tested: string
  readonly seeds: number
  readonly policies: Readonly<Record<string, PolicyFigures>>
  /** The policy under test without faults: its escapes are false. */
  readonly healthy: PolicyFigures
  /** The policy under test minus each other policy. */
  readonly differences: Readonly<Record<string, PolicyDifference>>
  readonly gates: readonly GateResult[]
  /** The most that the policy under test spent, against the most that `lint` proves. Absent for a graph without a spec. */
  readonly bounds?: Bounds
  /** Policies that lack one part, and do not differ in the goal or in the steps. */
  readonly useless: readonly string[]
  /** The `sometimes` that were never true. */
  readonly vacuous: readonly string[]
  /** The questions to people that no decision of the scenario fits, under the policy under test. */
  readonly unanswered: readonly UnansweredTimes[]
  /** Seeds with two journals. */
  readonly nondeterministic: readonly number[]
  /** Where the journals of the first of them differ. Absent if two further runs gave equal ones. */
  readonly difference?: JournalDifference
  /** The worst runs of each policy. */
  readonly worst: readonly SimulatedRun[]
  /** What the figures are about. */
  readonly fidelity: string
}

const FIDELITY = 'scripted models and simulated faults; not comparable with figures of live models'

/** Runs to look at, for each policy. */
const WORST = 5

type Repeated = Pick<MonteReport, 'nondeterministic' | 'bounds' | 'difference'>

export function reportOf(
  scenario: Scenario,
  runs: readonly SimulatedRun[],
  { nondeterministic, bounds, difference }: Repeated,
): MonteReport {
  const names = Object.keys(scenario.policies)
  const [tested = ''] = names
  const of = (policy: string) => runs.filter(run => run.policy === policy)
  const policies = fields(names, name => figuresOf(of(name)))
  const differences = withHolm(fields(names.slice(1), name => differenceOf(of(tested), of(name))))
  const healthy = figuresOf(of(HEALTHY))
  const values = { ...policies, [HEALTHY]: healthy, [DIFFERENCES]: differences }
  const gates = [
    ...violationGates(scenario, names, of),
    ...boundGates(bounds),
    ...gateResults(scenario, values as unknown as GateValues),
  ]
  const vacuous = scenario.oracle.sometimes.filter(
    text => !runs.some(({ seen }) => seen.includes(text)),
  )
  return {
    scenario: scenario.name,
    verdict: verdictOf(gates, vacuous, nondeterministic),
    tested,
    seeds: of(tested).length,
    policies,
    healthy,
    differences,
    gates,
    ...defined({ bounds }),
    useless: uselessOf(differences),
    vacuous,
    unanswered: unansweredIn(of(tested)),
    nondeterministic,
    ...defined({ difference }),
    worst: names.flatMap(name => of(name).filter(isBad).toSorted(byBadness).slice(0, WORST)),
    fidelity: FIDELITY,
  }
}

/** The run does not end in success, or violates a condition. */
export const isBad = ({ outcome, violations }: SimulatedRun): boolean =>
  outcome !== 'success' || violations.length > 0

const fields = <T>(names: readonly string[], of: (name: string) => T): Record<string, T> =>
  Object.fromEntries(names.map(name => [name, of(name)]))

/** The conditions of the oracle are gates of the policy under test. */
function violationGates(
  { oracle: { always, never, eventually } }: Scenario,
  [tested = '', ...others]: readonly string[],
  runsOf: (policy: string) => readonly SimulatedRun[],
): readonly GateResult[] {
  const all = [
    ...always.map(text => ['always', text] as const),
    ...never.map(text => ['never', text] as const),
    ...eventually.map(({ is }) => ['eventually', is] as const),
  ]
  return all.map(([rule, text]) => {
    const isViolated = (policy: string) =>
      runsOf(policy).some(({ violations }) =>
        violations.some(each => each.rule === rule && each.condition === text),
      )
    const violatedBy = others.filter(isViolated)
    const gate = `${rule} ${text}`
    return { gate, holds: !isViolated(tested), ...(violatedBy.length > 0 && { violatedBy }) }
  })
}

/** Their absence changes neither how often the goal is reached nor the steps. */
function uselessOf(differences: MonteReport['differences']): readonly string[] {
  return Object.entries(differences).flatMap(([name, { goal, steps }]) => {
    const isEqual = goal.wins + goal.losses === 0 && steps.low === 0 && steps.high === 0
    return name.startsWith('without_') && isEqual ? [name.slice('without_'.length)] : []
  })
}

/** No run may spend more than `lint` proves. */
function boundGates(bounds: Bounds | undefined): readonly GateResult[] {
  const beyond = Object.entries(bounds ?? {}).filter(
    ([, { found, proven = Number.POSITIVE_INFINITY }]) => found > proven,
  )
  if (!bounds) return []
  const units = beyond.map(([unit]) => unit).join(', ')
  return [{ gate: `within the proven bound${units && `: ${units}`}`, holds: beyond.length === 0 }]
}

function verdictOf(
  gates: readonly GateResult[],
  vacuous: readonly string[],
  nondeterministic: readonly number[],
): MonteVerdict {
  if (nondeterministic.length > 0) return 'nondeterministic'
  if (gates.some(({ holds }) => !holds)) return 'failed'
  return vacuous.length > 0 ? 'vacuous' : 'met'
}
