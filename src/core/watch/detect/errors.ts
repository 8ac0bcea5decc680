import type { Detector } from '../detector.ts'
import { remember } from '../memory.ts'
import { brief, hash } from '../signature.ts'
import { sureOf } from '../sure.ts'

/** The same error of the same tool `times` times; each success of that tool in between counts for half of them. */
export interface ErrorsOptions {
  readonly times: number
}

/** An error, how often it came, and where. */
type Row = readonly [subject: string, error: string, weight: number, round: number, signs: readonly string[], seqs: readonly number[]]
type State = readonly Row[]

const ROWS_MAX = 8
const SEQS_MAX = 8
/** A success of the tool shows that it can be used rightly; it does not show that this error is understood. */
const SUCCESS = 0.5
/** Nothing found in yet another place, or a wish that one come back later, is half a failure. */
const HALF = 0.6
const FORGOTTEN = 0.25

/**
 * Intuition: trying every key on the ring is no plan when the door says "bricked up" each time. Arguments may differ;
 * ids, places and whatever the message quotes of the call do not make it another error, but "2 failing" is not "3 failing".
 *
 * Rejected: starting anew at any success. An agent that now and then does something right goes on failing the same way in
 * between; a success of another tool proves nothing at all.
 */
export const errors: Detector<State, ErrorsOptions, 'answered'> = {
  name: 'errors',
  version: 3,
  start: [],
  sees: ['answered'],
  observe(state, sighting, { times }) {
    const { subject, failed, tone, outcome, key, round, seq } = sighting
    const of = brief(hash(subject))
    if (!failed) return [state.some(row => row[0] === of) ? eased(state, of) : state, undefined]
    const error = brief(hash(`${subject} ${outcome}`))
    const before = state.find(row => row[1] === error)
    if (before?.[3] === round) return [state, undefined]
    const weight = (before?.[2] ?? 0) + (tone === 'plain' ? 1 : HALF)
    const seqs = remember(before?.[5] ?? [], seq, SEQS_MAX)
    const signs = remember(
      (before?.[4] ?? []).filter(sign => sign !== brief(key)),
      brief(key),
      SEQS_MAX,
    )
    const others = before ? state.filter(row => row !== before) : state
    const next = remember(others, [of, error, weight, round, signs, seqs] as const, ROWS_MAX)
    if (weight < times) return [next, undefined]
    return [
      next,
      {
        kind: 'stall',
        detector: 'errors',
        id: `errors ${error}`,
        members: [subject],
        signs,
        period: 1,
        repeats: seqs.length,
        onset: seqs[0] ?? seq,
        events: seqs,
        sure: sureOf(weight - 1),
        summary: `${subject} failed ${seqs.length} times with the same error: ${sighting.message ?? outcome}`,
      },
    ]
  },
}

function eased(state: State, subject: string): State {
  return state.flatMap(row => {
    if (row[0] !== subject) return [row]
    const weight = row[2] * SUCCESS
    return weight < FORGOTTEN ? [] : [[row[0], row[1], weight, row[3], row[4], row[5]] as const]
  })
}
