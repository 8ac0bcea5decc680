/** The lanes of the timeline, from top to bottom. */
import type { SpanKind } from '../../data/spans.ts'

/** In CSS pixels. */
export const laneHeight = 22

export interface Lane {
  readonly name: string
  /** The lane without kinds shows the matches of the search. */
  readonly kinds: readonly SpanKind[]
  readonly color: string
}

const ALWAYS: readonly Lane[] = [
  { name: 'states', kinds: ['state'], color: '--line-strong' },
  { name: 'models', kinds: ['model'], color: '--accent' },
  { name: 'tools', kinds: ['tool', 'child'], color: '--ok' },
  { name: 'findings', kinds: ['loop'], color: '--loop' },
  { name: 'escapes', kinds: ['escape'], color: '--escape' },
]

const PEOPLE: Lane = { name: 'people', kinds: ['question'], color: '--human' }
const MATCHES: Lane = { name: 'matches', kinds: [], color: '--text' }

interface Shown {
  readonly questions: number
  readonly matches: number
}

/** Runs without questions and searches without matches have no lanes for them. */
export const lanesOf = ({ questions, matches }: Shown): readonly Lane[] => [
  ...ALWAYS,
  ...(questions > 0 ? [PEOPLE] : []),
  ...(matches > 0 ? [MATCHES] : []),
]
