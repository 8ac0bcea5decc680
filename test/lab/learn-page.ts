/** The measured part of the section on learned orders. */
import type { WrittenPart } from '../written-part.ts'
import type { SimulatedRun } from '../../src/simulate/run/simulate.ts'
import type { Learned, Pair } from './learn.ts'

export const LEARNED: WrittenPart = {
  page: 'simulation.md',
  name: 'learned',
  by: 'REWRITE=1 npm run lab',
}

interface Column {
  readonly title: string
  readonly value: (run: SimulatedRun) => number
  readonly text: (value: number) => string
}

const percent = (value: number): string => (100 * value).toFixed(1)

const COLUMNS: readonly Column[] = [
  {
    title: 'goal, %',
    value: ({ outcome }) => (outcome === 'success' || outcome === 'degraded' ? 1 : 0),
    text: percent,
  },
  { title: 'steps', value: ({ spent }) => spent.steps, text: value => value.toFixed(1) },
  { title: 'model calls', value: ({ spent }) => spent.modelCalls, text: value => value.toFixed(1) },
  {
    title: 'USD for 1,000',
    value: ({ spent }) => 1_000 * spent.usd,
    text: value => value.toFixed(2),
  },
]

export function learnedText(all: readonly Learned[]): string {
  const sequences = all[0]?.sequences ?? []
  const count = sequences[0]?.ladder.length ?? 0
  return [
    `${sequences.length} sequences of ${count} threads, each with a store of its own. Means, with the order of the ladder → with \`learn\`, and in brackets the least and the greatest difference of a sequence. **Scripted models and simulated faults: not comparable with figures of live models.**`,
    '',
    `| scenario | ${COLUMNS.map(({ title }) => title).join(' | ')} |`,
    `|---|${COLUMNS.map(() => '---|').join('')}`,
    ...all.map(
      ({ name, sequences }) =>
        `| ${name} | ${COLUMNS.map(column => cellText(column, sequences)).join(' | ')} |`,
    ),
  ].join('\n')
}

function cellText({ value, text }: Column, sequences: readonly Pair[]): string {
  const meanOf = (runs: readonly SimulatedRun[]) =>
    runs.reduce((sum, run) => sum + value(run), 0) / runs.length
  const all = (arm: keyof Pair) => text(meanOf(sequences.flatMap(pair => pair[arm])))
  const differences = sequences.map(({ ladder, learned }) => meanOf(learned) - meanOf(ladder))
  const range = [Math.min(...differences), Math.max(...differences)].map(text).join(', ')
  return `${all('ladder')} → ${all('learned')} [${range}]`
}
