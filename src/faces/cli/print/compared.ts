/** Two policies over the same traces, for people. */
import { tracesText } from './progress.ts'
import { plain } from './plain.ts'

/** Where a policy would have stepped in first. */
export interface FirstFlag {
  readonly at: number
  readonly kind: string
  /** Events that came after. */
  readonly saved: number
}

export interface Compared {
  readonly id: string
  readonly events: number
  readonly solved: boolean
  readonly a?: FirstFlag
  readonly b?: FirstFlag
}

/** Counts of traces; `saved` counts events. */
export interface Total {
  readonly traces: number
  readonly solved: number
  readonly both: number
  readonly onlyA: number
  readonly onlyB: number
  /** Stopped by one only, or at different events. */
  readonly differ: number
  readonly savedA: number
  readonly savedB: number
  /** Stopped, though they reached their goal. */
  readonly disturbedA: number
  readonly disturbedB: number
}

export const TOTAL: Total = {
  traces: 0,
  solved: 0,
  both: 0,
  onlyA: 0,
  onlyB: 0,
  differ: 0,
  savedA: 0,
  savedB: 0,
  disturbedA: 0,
  disturbedB: 0,
}

const COLUMN = 38

/** A trace where they differ. */
export function lineText({ id, events, solved, a, b }: Compared): string {
  return `A ${haltText(a)}B ${haltText(b)}${plain(id)} (${events} events${solved ? ', solved' : ''})\n`
}

function haltText(halt: FirstFlag | undefined): string {
  const text = halt ? `at ${halt.at} (${halt.kind}), saves ${halt.saved}` : 'lets it go on'
  return `${text.padEnd(COLUMN)}  `
}

export function comparedText(total: Total, a: string, b: string): string {
  const { traces, solved, both, onlyA, onlyB, differ, savedA, savedB, disturbedA, disturbedB } =
    total
  const rows = [
    ['', 'stopped', 'alone', 'events saved', 'disturbed'],
    [`A ${a}`, both + onlyA, onlyA, savedA, disturbedA],
    [`B ${b}`, both + onlyB, onlyB, savedB, disturbedB],
  ].map(row => row.map(String))
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  const table = rows.map(row =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
  return `${[`${tracesText(traces)}, ${solved} of them solved; ${both} stopped by both, ${differ} judged differently`, ...table].join('\n')}\n`
}
