import { type Detector, newsOf } from '../detector.ts'
import { remember } from '../memory.ts'
import { hash } from '../signature.ts'

/** `times` answers on end that held no news. */
export interface StaleOptions {
  readonly times: number
}

type State = {
  readonly known: readonly string[]
  /** The answers on end that were none: their seqs and tools. */
  readonly row: readonly (readonly [subject: string, seq: number])[]
}

const KNOWN_MAX = 96

/**
 * Intuition: reading the same pages again in another order is still reading the same pages. This sees loops of any
 * shape and period, reordered ones too, because it asks only whether anything was new.
 */
export const stale: Detector<State, StaleOptions, 'answered'> = {
  name: 'stale',
  version: 2,
  start: { known: [], row: [] },
  sees: ['answered'],
  observe(state, sighting, { times }) {
    const news = newsOf(sighting)
    if (!state.known.includes(news)) return [{ known: remember(state.known, news, KNOWN_MAX), row: [] }, undefined]
    const row = remember(state.row, [sighting.subject, sighting.seq], 16)
    const next = { ...state, row }
    if (row.length < times) return [next, undefined]
    const members = [...new Set(row.map(([subject]) => subject))]
    return [
      next,
      {
        kind: 'stall',
        detector: 'stale',
        id: `stale ${hash(members.toSorted().join())}`,
        members,
        period: members.length,
        repeats: row.length,
        onset: row[0]?.[1] ?? sighting.seq,
        events: row.map(([, seq]) => seq),
        summary: `the last ${row.length} answers (${members.join(', ')}) held nothing that had not been seen before`,
      },
    ]
  },
}
