import type { Detector } from '../detector.ts'

/** `times` answers of a model on end that hold no command where one is needed. */
export interface SilenceOptions {
  readonly times: number
}

type State = readonly number[]

/** Intuition: who is asked for the next move and talks about the weather twice has no next move. */
export const silence: Detector<State, SilenceOptions> = {
  name: 'silence',
  version: 1,
  start: [],
  observe(state, sighting, { times }) {
    if (sighting.kind !== 'said') return [state, undefined]
    if (sighting.command) return [state.length === 0 ? state : [], undefined]
    const row = [...state.slice(-11), sighting.seq]
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
