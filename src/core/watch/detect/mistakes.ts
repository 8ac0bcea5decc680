/**
 * `limit` consecutive batches in which every call failed, with any tool and for any reason.
 *
 * Intuition: three failed attempts in a row mean that the approach is wrong. An answer without a required command is a failure.
 *
 * Hard case: eight parallel lookups that all fail are one failed batch. One success among them resets the count. So does a report
 * of failures: eight links that are dead, or a linter that finds something in each file, are results. A call that a person rejects
 * is a mistake only when it is proposed again.
 * Rejected: counting calls, or failures in total. Both stop agents that search in many places and find something in one.
 */
import type { BuiltIn } from './detector.ts'
import { remember, shortHash } from '../data/json.ts'

type State = {
  /** The number of consecutive failed batches, the seq of the first, and the latest of them. */
  readonly batches: number
  readonly since: number
  readonly row: readonly (readonly [subject: string, seq: number])[]
  /** The latest batch that failed, or in which a call succeeded. */
  readonly batch: number
  /** The calls that a person has rejected since the latest success. */
  readonly rejected: readonly string[]
}

const ROW_MAX = 16
const REJECTED_MAX = 16

export const mistakes: BuiltIn<State, 'mistakes', 'answered' | 'said'> = {
  name: 'mistakes',
  version: 5,
  start: { batches: 0, since: -1, row: [], batch: -1, rejected: [] },
  finds: 'stall',
  sees: ['answered', 'said'],
  observe(state, observation, { limit }) {
    if (observation.kind === 'said' && observation.command) return [state, undefined]
    const { subject, seq } = observation
    const batch = observation.kind === 'answered' ? observation.batch : seq
    if (observation.kind === 'answered' && (observation.ok || observation.report))
      return state.batches === 0 && state.batch === batch
        ? [state, undefined]
        : [{ ...mistakes.start, batch }, undefined]
    if (observation.kind === 'answered' && observation.rejected) {
      const sign = shortHash(observation.key)
      const rejected = remember(state.rejected, sign, REJECTED_MAX)
      if (!state.rejected.includes(sign)) return [{ ...state, rejected }, undefined]
    }
    if (state.batch === batch) return [state, undefined]
    const batches = state.batches + 1
    const row = remember(state.row, [subject, seq] as const, ROW_MAX)
    const next = { ...state, batches, since: batches === 1 ? seq : state.since, row, batch }
    if (batches < limit) return [next, undefined]
    const members = [...new Set(row.map(([subject]) => subject))]
    const events = row.map(([, seq]) => seq)
    const reason = { code: 'failed-rounds', params: { calls: members, rounds: batches } } as const
    return [next, { id: 'mistakes', members, repeats: batches, onset: next.since, events, reason }]
  },
}
