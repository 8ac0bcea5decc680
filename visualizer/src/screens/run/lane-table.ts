/** The lanes of the timeline, from top to bottom. */
import type { SpanKind } from '../../data/spans.ts'
import type { BudgetUse, ChannelChange } from '../../data/tracks.ts'

/** In CSS pixels. */
export const laneHeight = 22

export interface Lane {
  readonly name: string
  readonly color: string
  readonly shows: Shown
}

type Shown =
  | { readonly what: 'spans'; readonly kinds: readonly SpanKind[] }
  | { readonly what: 'matches'; readonly seqs: readonly number[] }
  | { readonly what: 'budget'; readonly uses: readonly BudgetUse[] }
  | { readonly what: 'channel'; readonly changes: readonly ChannelChange[] }

const spans = (...kinds: SpanKind[]): Shown => ({ what: 'spans', kinds })

const ALWAYS: readonly Lane[] = [
  { name: 'states', color: '--line-strong', shows: spans('state') },
  { name: 'models', color: '--accent', shows: spans('model') },
  { name: 'tools', color: '--ok', shows: spans('tool', 'child') },
  { name: 'findings', color: '--loop', shows: spans('loop') },
  { name: 'escapes', color: '--escape', shows: spans('escape') },
]

const PEOPLE: Lane = { name: 'people', color: '--human', shows: spans('question') }

interface Content {
  readonly questions: number
  readonly matches: readonly number[]
  /** Undefined while the lane is off. */
  readonly budget: readonly BudgetUse[] | undefined
  readonly channels: ReadonlyMap<string, readonly ChannelChange[]>
}

/** Runs without questions and searches without matches have no lanes for them. */
export const lanesOf = ({ questions, matches, budget, channels }: Content): readonly Lane[] => [
  ...ALWAYS,
  ...(questions > 0 ? [PEOPLE] : []),
  ...(budget ? [budgetLane(budget)] : []),
  ...[...channels].map(([name, changes]) => channelLane(name, changes)),
  ...(matches.length > 0 ? [matchLane(matches)] : []),
]

const budgetLane = (uses: readonly BudgetUse[]): Lane => ({
  ...{ name: 'budget', color: '--warn' },
  shows: { what: 'budget', uses },
})

const channelLane = (name: string, changes: readonly ChannelChange[]): Lane => ({
  ...{ name, color: '--accent' },
  shows: { what: 'channel', changes },
})

const matchLane = (seqs: readonly number[]): Lane => ({
  ...{ name: 'matches', color: '--text' },
  shows: { what: 'matches', seqs },
})
