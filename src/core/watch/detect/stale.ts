import { type Detector, ITEM, itemOf, signOf } from '../detector.ts'
import { remember } from '../memory.ts'
import { hash } from '../signature.ts'
import { sureOf } from '../sure.ts'

/** `times` rounds on end in which nothing was asked or answered that had not been before. */
export interface StaleOptions {
  readonly times: number
}

type State = {
  /** Calls with their answers, one after the other in one text: looking through it costs a tenth of looking through a list. */
  readonly known: string
  /** The answers on end that were no news: their tools, calls and seqs. */
  readonly row: readonly (readonly [subject: string, sign: string, seq: number])[]
  /** The round of the last of them, and how many rounds they make. */
  readonly round: number
  readonly rounds: number
}

const KNOWN_MAX = 96 * ITEM
const ROW_MAX = 8

/**
 * Intuition: reading the same pages again in another order is still reading the same pages. This sees loops of any
 * shape and period, reordered ones too, because it asks only whether anything was new.
 *
 * What was known before a write took effect may have changed with it: three checks after each edit are checks, not laps.
 * Call and answer count together. Rejected: the answer alone. Measured on recorded agents, it stops three times as many
 * healthy ones, since half the answers of a shell are empty.
 */
export const stale: Detector<State, StaleOptions, 'answered'> = {
  name: 'stale',
  version: 3,
  start: { known: '', row: [], round: -1, rounds: 0 },
  sees: ['answered'],
  observe(state, sighting, { times }) {
    if (sighting.tone === 'unseen' || sighting.tone === 'later') return [state, undefined]
    const { subject, round, seq } = sighting
    const item = itemOf(sighting)
    if (!state.known.includes(item)) return [{ known: sighting.wrote ? item : (state.known + item).slice(-KNOWN_MAX), row: [], round: -1, rounds: 0 }, undefined]
    const row = remember(state.row, [subject, signOf(item), seq] as const, ROW_MAX)
    const rounds = state.rounds + (state.round === round ? 0 : 1)
    const next = { ...state, row, round, rounds }
    if (rounds < times) return [next, undefined]
    const members = [...new Set(row.map(([subject]) => subject))]
    return [
      next,
      {
        kind: 'stall',
        detector: 'stale',
        id: `stale ${hash(members.toSorted().join())}`,
        members,
        signs: [...new Set(row.map(([, sign]) => sign))],
        period: members.length,
        repeats: rounds,
        onset: row[0]?.[2] ?? seq,
        events: row.map(([, , seq]) => seq),
        sure: sureOf(rounds - 1),
        summary: `the last ${rounds} answers (${members.join(', ')}) held nothing that had not been seen before`,
      },
    ]
  },
}
