import type { Detector } from '../detector.ts'
import { remember } from '../memory.ts'

/** `limit` failed calls on end, of whatever tool and for whatever reason. */
export interface MistakesOptions {
  readonly limit: number
}

type State = readonly (readonly [subject: string, seq: number])[]

/**
 * Intuition: three wrong turns in a row, and one asks for the way. Consecutive, not in total: one success starts
 * the count again. An answer without the command that was needed is a mistake, too.
 */
export const mistakes: Detector<State, MistakesOptions, 'answered' | 'said'> = {
  name: 'mistakes',
  version: 1,
  start: [],
  sees: ['answered', 'said'],
  observe(state, sighting, { limit }) {
    if (sighting.kind === 'said' && sighting.command) return [state, undefined]
    if (sighting.kind === 'answered' && sighting.ok) return [state.length === 0 ? state : [], undefined]
    const row = remember(state, [sighting.subject, sighting.seq], 16)
    if (row.length < limit) return [row, undefined]
    const members = [...new Set(row.map(([subject]) => subject))]
    return [
      row,
      {
        kind: 'stall',
        detector: 'mistakes',
        id: 'mistakes',
        members,
        period: 1,
        repeats: row.length,
        onset: row[0]?.[1] ?? sighting.seq,
        events: row.map(([, seq]) => seq),
        summary: `${row.length} calls in a row failed (${members.join(', ')})`,
      },
    ]
  },
}
