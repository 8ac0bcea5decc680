import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Detector } from './detector.ts'
import { remember } from '../data/json.ts'

type State = {
  /** How many on end, the seq of the first, and those of the latest. */
  readonly times: number
  readonly since: number
  readonly row: readonly number[]
}

const ROW_MAX = 12

/**
 * `times` answers of a model on end that hold no command where one is needed.
 *
 * Intuition: who is asked for the next move and talks about the weather twice has no next move.
 */
export const noToolCall: Detector<State, OptionsOf<'noToolCall'>, 'said'> = {
  name: 'noToolCall',
  version: 2,
  start: { times: 0, since: -1, row: [] },
  sees: ['said'],
  observe(state, observation, { times }) {
    if (observation.command) return [noToolCall.start, undefined]
    const { subject, seq } = observation
    const so = state.times + 1
    const row = remember(state.row, seq, ROW_MAX)
    const next = { times: so, since: so === 1 ? seq : state.since, row }
    if (so < times) return [next, undefined]
    return [
      next,
      {
        kind: 'noToolCall',
        detector: 'noToolCall',
        id: `noToolCall ${subject}`,
        members: [subject],
        period: 1,
        repeats: so,
        onset: next.since,
        events: row,
        reason: { code: 'no-tool-call', params: { model: subject, times: so } },
      },
    ]
  },
}
