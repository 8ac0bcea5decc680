/** The measured parts of the section on the targets of the lab. */
import { wilson, type Rate } from '../../src/simulate/statistics/interval.ts'
import type { WrittenPart } from '../written-part.ts'
import type { Measured } from './measure.ts'
import { COMPARED, type Gain, gainOf } from './paired.ts'

const BY = 'REWRITE=1 npm run lab'
export const SCENARIOS: WrittenPart = { page: 'simulation.md', name: 'scenarios', by: BY }
export const PAIRED: WrittenPart = { page: 'simulation.md', name: 'paired', by: BY }

const TESTED = 'default'

export function scenariosText(all: readonly Measured[]): string {
  const head = [
    '| scenario | goal | handed off | stuck | silently wrong | true loops | of them well ended | found | false alarms | false escapes | goal minus `naive` |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
  ]
  return [...head, ...all.map(rowOf), totals(all)].join('\n')
}

function rowOf({ name, report }: Measured): string {
  const of = report.policies[TESTED] ?? report.healthy
  const naive = report.differences.naive?.goal
  return `| ${[
    name,
    rateText(of.goal),
    rateText(of.handedOff),
    of.stuck.count,
    rateText(of.silentlyWrong),
    of.trueLoops.count,
    rateText(of.escapedLoops),
    rateText(of.detected),
    of.falseAlarms.toFixed(2),
    rateText(report.healthy.escapes),
    naive ? `${points(naive.mean)} [${points(naive.low)}, ${points(naive.high)}]` : '–',
  ].join(' | ')} |`
}

/** All scenarios together. */
function totals(all: readonly Measured[]): string {
  const figures = all.map(({ report }) => report.policies[TESTED] ?? report.healthy)
  const sum = (rates: readonly Rate[]) =>
    wilson(
      rates.reduce((total, { count }) => total + count, 0),
      rates.reduce((total, { of }) => total + of, 0),
    )
  const runs = all.flatMap(measured => measured.runs[TESTED] ?? [])
  const total = (key: 'falseAlarms' | 'healthySteps') =>
    runs.reduce((counted, { truth }) => counted + (truth?.[key] ?? 0), 0)
  return `| ${[
    'all',
    rateText(sum(figures.map(({ goal }) => goal))),
    rateText(sum(figures.map(({ handedOff }) => handedOff))),
    figures.reduce((counted, { stuck }) => counted + stuck.count, 0),
    rateText(sum(figures.map(({ silentlyWrong }) => silentlyWrong))),
    figures.reduce((counted, { trueLoops }) => counted + trueLoops.count, 0),
    rateText(sum(figures.map(({ escapedLoops }) => escapedLoops))),
    rateText(sum(figures.map(({ detected }) => detected))),
    ((1_000 * total('falseAlarms')) / Math.max(1, total('healthySteps'))).toFixed(2),
    rateText(sum(all.map(({ report }) => report.healthy.escapes))),
    '',
  ].join(' | ')} |`
}

export function pairedText(all: readonly Measured[]): string {
  const names = Object.keys(COMPARED)
  return [
    `| scenario | policies | ${names.join(' | ')} |`,
    `|---|---|${names.map(() => '---|').join('')}`,
    ...all.flatMap(({ name, runs }) =>
      pairsOf(Object.keys(runs).filter(policy => policy !== 'healthy')).map(
        ([a, b]) =>
          `| ${name} | \`${a}\`, \`${b}\` | ${Object.values(COMPARED)
            .map(value => gainText(gainOf((runs[a] ?? []).map(value), (runs[b] ?? []).map(value))))
            .join(' | ')} |`,
      ),
    ),
  ].join('\n')
}

const pairsOf = (names: readonly string[]) =>
  names.flatMap((a, index) => names.slice(index + 1).map(b => [a, b] as const))

function gainText(gain: Gain | undefined): string {
  if (!gain) return 'equal'
  const { times, most } = gain
  return most === undefined ? 'one constant' : `${amount(times)} of ${amount(most)}`
}

const amount = (times: number): string =>
  times === Number.POSITIVE_INFINITY ? '∞' : times > 999 ? '> 999' : times.toFixed(1)

const rateText = ({ of, rate, low, high }: Rate): string =>
  of === 0 ? '–' : `${percent(rate)} [${percent(low)}, ${percent(high)}]`

const percent = (value: number): string => (100 * value).toFixed(1)
const points = (value: number): string => (100 * value).toFixed(0)
