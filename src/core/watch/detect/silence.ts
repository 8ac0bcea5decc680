import type { Detector } from '../detector.ts'
import { remember } from '../memory.ts'

/** `times` answers of a model on end that hold no command where one is needed. */
export interface SilenceOptions {
  readonly times: number
}

type State = readonly number[]

/** Intuition: who is asked for the next move and talks about the weather twice has no next move. */
export const silence: Detector<State, SilenceOptions, 'said'> = {
  name: 'silence',
  version: 1,
  start: [],
  sees: ['said'],
  observe(state, sighting, { times }) {
    if (sighting.command) return [state.length === 0 ? state : [], undefined]
    const row = remember(state, sighting.seq, 12)
    if (row.length < times) return [row, undefined]
    return [
      row,
      {
        kind: 'silence',
        detector: 'silence',
        id: `silence ${sighting.subject}`,
        members: [sighting.subject],
        period: 1,
        repeats: row.length,
        onset: row[0] ?? sighting.seq,
        events: row,
        summary: `${sighting.subject} answered ${row.length} times without giving a command`,
      },
    ]
  },
}
