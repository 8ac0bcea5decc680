/**
 * `times` consecutive answers of a model without a required command.
 *
 * Intuition: a model that is asked for its next move and talks about something else twice has no next move.
 */
import type { BuiltIn } from './detector.ts'
import { remember } from '../data/json.ts'

/** The number of consecutive answers, the seq of the first, and the seqs of the latest. */
type State = { readonly times: number; readonly since: number; readonly row: readonly number[] }

const ROW_MAX = 12

export const noToolCall: BuiltIn<State, 'noToolCall', 'said'> = {
  name: 'noToolCall',
  version: 2,
  start: { times: 0, since: -1, row: [] },
  finds: 'noToolCall',
  sees: ['said'],
  observe(state, { command, subject, seq }, options) {
    if (command) return [noToolCall.start, undefined]
    const times = state.times + 1
    const row = remember(state.row, seq, ROW_MAX)
    const next = { times, since: times === 1 ? seq : state.since, row }
    if (times < options.times) return [next, undefined]
    const reason = { code: 'no-tool-call', params: { model: subject, times } } as const
    return [next, { members: [subject], repeats: times, onset: next.since, events: row, reason }]
  },
}
