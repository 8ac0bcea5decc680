/**
 * `limit` consecutive rounds in which every call failed, with any tool and for any reason.
 *
 * Intuition: three failed attempts in a row mean that the approach is wrong. An answer without a required command is a failure.
 *
 * Hard case: eight parallel lookups that all fail are one failed round. One success among them resets the count.
 * Rejected: counting calls, or failures in total. Both stop agents that search in many places and find something in one.
 */
import type { BuiltIn } from './detector.ts'
import { remember } from '../data/json.ts'

type State = {
  /** The number of consecutive failed rounds, the seq of the first, and the latest of them. */
  readonly rounds: number
  readonly since: number
  readonly row: readonly (readonly [subject: string, seq: number])[]
  /** The latest round that failed, or in which a call succeeded. */
  readonly round: number
}

const ROW_MAX = 16

export const mistakes: BuiltIn<State, 'mistakes', 'answered' | 'said'> = {
  name: 'mistakes',
  version: 2,
  start: { rounds: 0, since: -1, row: [], round: -1 },
  finds: 'stall',
  sees: ['answered', 'said'],
  observe(state, observation, { limit }) {
    if (observation.kind === 'said' && observation.command) return [state, undefined]
    const { subject, seq } = observation
    const round = observation.kind === 'answered' ? observation.round : seq
    if (observation.kind === 'answered' && observation.ok)
      return state.rounds === 0 && state.round === round
        ? [state, undefined]
        : [{ ...mistakes.start, round }, undefined]
    if (state.round === round) return [state, undefined]
    const rounds = state.rounds + 1
    const row = remember(state.row, [subject, seq] as const, ROW_MAX)
    const next = { rounds, since: rounds === 1 ? seq : state.since, row, round }
    if (rounds < limit) return [next, undefined]
    const members = [...new Set(row.map(([subject]) => subject))]
    const events = row.map(([, seq]) => seq)
    const reason = { code: 'failed-rounds', params: { calls: members, rounds } } as const
    return [next, { id: 'mistakes', members, repeats: rounds, onset: next.since, events, reason }]
  },
}
