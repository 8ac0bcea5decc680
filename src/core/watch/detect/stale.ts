import type { Detector } from '../detector.ts'
import { hash } from '../signature.ts'

/** `times` answers on end that the same tool had given before. */
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
export const stale: Detector<State, StaleOptions> = {
  name: 'stale',
  version: 1,
  start: { known: [], row: [] },
  observe(state, sighting, { times }) {
    if (sighting.kind !== 'answered') return [state, undefined]
    const answer = hash(`${sighting.subject} ${sighting.outcome}`)
    if (!state.known.includes(answer)) return [{ known: [...state.known.slice(-(KNOWN_MAX - 1)), answer], row: [] }, undefined]
    const row = [...state.row.slice(-15), [sighting.subject, sighting.seq] as const]
    const next = { ...state, row }
    if (row.length < times) return [next, undefined]
    const members = [...new Set(row.map(([subject]) => subject))]
    return [
      next,
      {
        kind: 'stall',
        detector: 'stale',
        id: `stale ${members.toSorted().join()}`,
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
