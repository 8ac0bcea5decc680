/** The targets of the lab beside what the default policy reaches in the ready scenarios. */
import { wilson, type Rate } from '../../src/simulate/statistics/interval.ts'
import type { PolicyFigures } from '../../src/simulate/monte/figures.ts'
import type { Measured } from './measure.ts'
import { gainsOf } from './paired.ts'

export const TESTED = 'default'

export const testedOf = ({ report }: Measured): PolicyFigures =>
  report.policies[TESTED] ?? report.healthy

/** The runs without a fault that need no escape: in the ring, only an escape leads to the goal. */
const isHealthy = ({ name }: Measured): boolean => name !== 'ring'

export const pooled = (rates: readonly Rate[]): Rate =>
  wilson(
    rates.reduce((total, { count }) => total + count, 0),
    rates.reduce((total, { of }) => total + of, 0),
  )

/** Findings of a loop without a true loop, for each 1,000 healthy steps of all scenarios. */
export function falseAlarmsOf(all: readonly Measured[]): number {
  const truths = all.flatMap(({ runs }) => (runs[TESTED] ?? []).flatMap(({ truth }) => truth ?? []))
  const total = (key: 'falseAlarms' | 'healthySteps') =>
    truths.reduce((sum, truth) => sum + truth[key], 0)
  return (1_000 * total('falseAlarms')) / Math.max(1, total('healthySteps'))
}

interface Target {
  readonly target: string
  readonly reached: string
  readonly isMet: boolean
}

export function targetsOf(
  all: readonly Measured[],
  neighbors: readonly Measured[],
): readonly Target[] {
  const figures = all.map(testedOf)
  const stuck = figures.reduce((sum, of) => sum + of.stuck.count, 0)
  const beyond = all.filter(({ report }) =>
    report.gates.some(({ gate, holds }) => gate.startsWith('within the proven bound') && !holds),
  )
  const wrong = pooled(figures.map(({ silentlyWrong }) => silentlyWrong))
  const loops = pooled(figures.map(({ escapedLoops }) => escapedLoops))
  const escapes = pooled(all.filter(isHealthy).map(({ report }) => report.healthy.escapes))
  const found = pooled(figures.map(({ detected }) => detected))
  const alarms = falseAlarmsOf(all)
  const gains = persistentGains(all)
  const least = Math.min(...gains)
  const pairs = neighbors
    .flatMap(({ runs }) => gainsOf(runs))
    .filter(({ most = 0, times }) => most >= PAIRED && Number.isFinite(times))
  const paired = pairs.filter(({ times }) => times >= PAIRED)
  const row = (target: string, reached: string, isMet: boolean) => ({ target, reached, isMet })
  return [
    row('no run is stuck', `${stuck} runs`, stuck === 0),
    row(
      'no run beyond its proven bound',
      `${beyond.length} of ${all.length} scenarios`,
      beyond.length === 0,
    ),
    row('silently wrong ≤ 2 %, upper end of the interval', shareText(wrong), wrong.high <= 0.02),
    row('≥ 95 % of true loops end well', shareText(loops), loops.rate >= 0.95),
    row('false escapes in ≤ 1 % of healthy runs', shareText(escapes), escapes.rate <= 0.01),
    row(
      '≥ 20 points more success than `naive` where faults persist',
      `${points(least)} points or more in ${gains.length} scenarios`,
      least >= 0.2,
    ),
    row('≥ 95 % of true loops are found', shareText(found), found.rate >= 0.95),
    row('≤ 1 false alarm in 1,000 healthy steps', alarms.toFixed(2), alarms <= 1),
    row(
      'paired variance ≥ 5 times lower, policies that differ in one option',
      `${paired.length} of ${pairs.length} comparisons`,
      paired.length === pairs.length,
    ),
  ]
}

/** The target of the paired variance. */
const PAIRED = 5

/** How much more often than `naive` the goal is reached, where a gate of the scenario asks for it. */
const persistentGains = (all: readonly Measured[]): readonly number[] =>
  all.flatMap(({ report }) => {
    const isPersistent = report.gates.some(({ gate }) => gate.startsWith('diff.naive'))
    const { naive } = report.differences
    return isPersistent && naive ? [naive.goal.difference] : []
  })

export const rateText = ({ of, rate, low, high }: Rate): string =>
  of === 0 ? '–' : `${hundredths(rate)} [${hundredths(low)}, ${hundredths(high)}]`

const shareText = (rate: Rate): string => `${rate.count} of ${rate.of}: ${rateText(rate)} %`
const hundredths = (value: number): string => (100 * value).toFixed(1)
export const points = (value: number): string => (100 * value).toFixed(0)
