/** The lanes of the timeline, from top to bottom. */
import type { SpanKind } from '../../data/spans.ts'

/** In CSS pixels. */
export const laneHeight = 22

interface Lane {
  readonly name: string
  /** The lane without kinds shows the matches of the search. */
  readonly kinds: readonly SpanKind[]
  readonly color: string
}

export const LANES: readonly Lane[] = [
  { name: 'states', kinds: ['state'], color: '--line-strong' },
  { name: 'models', kinds: ['model'], color: '--accent' },
  { name: 'tools', kinds: ['tool', 'child'], color: '--ok' },
  { name: 'findings', kinds: ['loop'], color: '--loop' },
  { name: 'escapes', kinds: ['escape'], color: '--escape' },
  { name: 'people', kinds: ['question'], color: '--human' },
  { name: 'matches', kinds: [], color: '--text' },
]
