import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Detector } from './detector.ts'
import { remember } from '../data/json.ts'

type State = {
  /** How many rounds on end, the seq of the first, and the latest of them. */
  readonly rounds: number
  readonly since: number
  readonly row: readonly (readonly [subject: string, seq: number])[]
  /** The latest round that counts, or in which something succeeded. */
  readonly round: number
}

const ROW_MAX = 16

/**
 * `limit` rounds on end in which all calls failed, of whatever tool and for whatever reason.
 *
 * Intuition: three wrong turns in a row, and one asks for the way. Consecutive, not in total: one success starts
 * the count again. An answer without the command that was needed is a mistake, too.
 *
 * Rounds count, not calls: who looks in eight places at once has taken one turn, and a wrong one only if there was nothing in any of them.
 */
export const mistakes: Detector<State, OptionsOf<'mistakes'>, 'answered' | 'said'> = {
  name: 'mistakes',
  version: 2,
  start: { rounds: 0, since: -1, row: [], round: -1 },
  sees: ['answered', 'said'],
  observe(state, observation, { limit }) {
    if (observation.kind === 'said' && observation.command) return [state, undefined]
    const { subject, seq } = observation
    const round = observation.kind === 'answered' ? observation.round : seq
    if (observation.kind === 'answered' && observation.ok)
      return [
        state.rounds === 0 && state.round === round ? state : { ...mistakes.start, round },
        undefined,
      ]
    if (state.round === round) return [state, undefined]
    const rounds = state.rounds + 1
    const row = remember(state.row, [subject, seq] as const, ROW_MAX)
    const next = { rounds, since: rounds === 1 ? seq : state.since, row, round }
    if (rounds < limit) return [next, undefined]
    const members = [...new Set(row.map(([subject]) => subject))]
    return [
      next,
      {
        kind: 'stall',
        detector: 'mistakes',
        id: 'mistakes',
        members,
        period: 1,
        repeats: rounds,
        onset: next.since,
        events: row.map(([, seq]) => seq),
        reason: { code: 'failed-rounds', params: { calls: members, rounds } },
      },
    ]
  },
}
