/** The measured parts of the section on the ready scenarios. */
import type { WrittenPart } from '../written-part.ts'
import type { Measured } from './measure.ts'
import { COMPARED, type Gain, gainOf, pairsOf } from './paired.ts'
import { falseAlarmsOf, points, pooled, rateText, targetsOf, testedOf } from './targets.ts'

const partOf = (name: string): WrittenPart => ({
  page: 'simulation.md',
  name,
  by: 'REWRITE=1 npm run lab',
})

export const PARTS = {
  targets: partOf('targets'),
  scenarios: partOf('scenarios'),
  paired: partOf('paired'),
} as const

export function targetsText(all: readonly Measured[], neighbors: readonly Measured[]): string {
  const [first] = all
  return [
    `${first?.report.seeds.toLocaleString('en-US')} seeds for each scenario, percent with 95 % Wilson intervals. **Scripted models and simulated faults: not comparable with figures of live models.**`,
    '',
    '| target | reached | |',
    '|---|---|---|',
    ...targetsOf(all, neighbors).map(
      ({ target, reached, isMet }) =>
        `| ${target} | ${reached} | ${isMet ? 'met' : '**missed**'} |`,
    ),
  ].join('\n')
}

export function scenariosText(all: readonly Measured[]): string {
  const figures = all.map(testedOf)
  const count = (key: 'stuck' | 'trueLoops') => figures.reduce((sum, of) => sum + of[key].count, 0)
  const rate = (key: 'goal' | 'handedOff' | 'silentlyWrong' | 'escapedLoops' | 'detected') =>
    rateText(pooled(figures.map(of => of[key])))
  const totals = [
    'all',
    rate('goal'),
    rate('handedOff'),
    count('stuck'),
    rate('silentlyWrong'),
    count('trueLoops'),
    rate('escapedLoops'),
    rate('detected'),
    falseAlarmsOf(all).toFixed(2),
    rateText(pooled(all.map(({ report }) => report.healthy.escapes))),
    '',
  ]
  return [
    '| scenario | goal | handed off | stuck | silently wrong | true loops | ended well | found | false alarms | false escapes | goal minus `naive`, points |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...[...all.map(cellsOf), totals].map(cells => `| ${cells.join(' | ')} |`),
  ].join('\n')
}

function cellsOf(measured: Measured): readonly (string | number)[] {
  const { name, report } = measured
  const of = testedOf(measured)
  const naive = report.differences.naive?.goal
  return [
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
    naive ? `${points(naive.difference)} [${points(naive.low)}, ${points(naive.high)}]` : '–',
  ]
}

/** Pairs that differ in nothing are left out. */
export function pairedText(all: readonly Measured[]): string {
  const names = Object.keys(COMPARED)
  return [
    `| scenario | policies | ${names.join(' | ')} |`,
    `|---|---|${names.map(() => '---|').join('')}`,
    ...all.flatMap(({ name, runs }) =>
      pairsOf(runs).flatMap(([a, b]) => {
        const cells = Object.values(COMPARED).map(value =>
          gainText(gainOf((runs[a] ?? []).map(value), (runs[b] ?? []).map(value))),
        )
        if (cells.every(cell => cell === EQUAL)) return []
        return [`| ${name} | \`${a}\`, \`${b}\` | ${cells.join(' | ')} |`]
      }),
    ),
  ].join('\n')
}

const EQUAL = 'no difference'

function gainText(gain: Gain | undefined): string {
  if (!gain || gain.times === Number.POSITIVE_INFINITY) return EQUAL
  const { times, most } = gain
  return most === undefined ? 'one constant' : `${amount(times)} of ${amount(most)}`
}

const amount = (times: number): string => (times > 999 ? '> 999' : times.toFixed(1))
