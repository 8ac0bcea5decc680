/** Two policies over the same traces, for people. */
import { countText } from './amounts.ts'
import { type Block, bold, dim } from './layout.ts'

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

const COLUMN = 30

/** A trace where they differ. */
export function differenceBlock({ id, events, solved, a, b }: Compared): Block {
  const halts = [`A ${haltText(a)}`, `B ${haltText(b)}`].map(text => text.padEnd(COLUMN))
  return [...halts, bold(id), dim(` (${countText(events, 'event')}${solved ? ', solved' : ''})`)]
}

function haltText(halt: FirstFlag | undefined): string {
  return halt ? `at ${halt.at} (${halt.kind}), saves ${halt.saved}` : 'finds nothing'
}

export function comparedBlocks(total: Total, a: string, b: string): readonly Block[] {
  const { both, onlyA, onlyB, savedA, savedB, disturbedA, disturbedB } = total
  const rows = [
    ['', 'stopped', 'alone', 'events saved', 'disturbed'],
    [`A ${a}`, both + onlyA, onlyA, savedA, disturbedA],
    [`B ${b}`, both + onlyB, onlyB, savedB, disturbedB],
  ].map((row, index) =>
    row.map(cell => (index === 0 ? dim(String(cell)) : cell.toLocaleString('en-US'))),
  )
  return [
    `${countText(total.traces, 'trace')}, ${total.solved} solved; ${both} stopped by both, ${total.differ} judged differently`,
    { rows, right: [1, 2, 3, 4] },
  ]
}
