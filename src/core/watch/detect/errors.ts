/**
 * The same error of the same tool `times` times. Successes in between reduce the weight of the earlier ones.
 *
 * Intuition: trying other arguments does not help when the error stays the same. Ids, places and text that the message quotes
 * from the call do not make it another error, but "2 failing" differs from "3 failing".
 *
 * Hard case: an agent that sometimes succeeds may still fail the same way in between. Three failures in a row are a loop,
 * three in an afternoon are not. A person who answers in new words asks for another attempt; a harness that repeats its complaint
 * does not. Rejected: resetting the count at a success, which misses the first of these.
 */
import { type BuiltIn, TOLERANCE, DECAY, confidenceOf, WRITTEN } from './detector.ts'
import { foundNothing, isEmptySearch } from '../normalize/observed.ts'
import { remember, shortHash } from '../data/json.ts'

/** `weight` is as of `age`. */
type Row = readonly [error: string, weight: number, age: number, batch: number, ...Shown]
type Shown = readonly [signs: readonly string[], seqs: readonly number[]]

/** `age`: how many calls have succeeded, with writes counted more than once. `person`: the latest text of a person. */
type State = { readonly rows: readonly Row[]; readonly age: number; readonly person: string }

const ROWS_MAX = 8
const SEQS_MAX = 8
/** A search without a result, or a request to come back later, is half a failure. */
const HALF = 0.5

export const errors: BuiltIn<State, 'errors', 'answered' | 'said'> = {
  name: 'errors',
  version: 10,
  start: { rows: [], age: 0, person: '' },
  finds: 'stall',
  sees: ['answered', 'said'],
  observe(state, observation, { times }) {
    if (observation.kind === 'said') {
      const person = shortHash(observation.hash)
      const isNew = observation.person && person !== state.person
      return [isNew ? { ...errors.start, person } : state, undefined]
    }
    const { rows, age } = state
    const { failed, wrote, subject, tone, answerHash, key, batch, seq } = observation
    // `sameAnswer` weighs searches.
    if (!failed || isEmptySearch(observation))
      return [rows.length === 0 ? state : { ...state, age: age + (wrote ? WRITTEN : 1) }, undefined]
    const error = `${shortHash(answerHash)} ${subject}`
    const known = rows.find(row => row[0] === error)
    const [, earlier, then, lastBatch, oldSigns, oldSeqs] = known ?? [error, 0, age, -1, [], []]
    if (lastBatch === batch) return [state, undefined]
    const weight = earlier * DECAY ** (age - then) + (tone === 'plain' ? 1 : HALF)
    const sign = shortHash(key)
    const otherSigns = oldSigns.filter(other => other !== sign)
    const signs = remember(otherSigns, sign, SEQS_MAX)
    const seqs = remember(oldSeqs, seq, SEQS_MAX)
    const others = known ? rows.filter(row => row !== known) : rows
    const row: Row = [error, weight, age, batch, signs, seqs]
    const next = { ...state, rows: remember(others, row, ROWS_MAX) }
    if (weight < times - TOLERANCE) return [next, undefined]
    const repeats = seqs.length
    const code = foundNothing(observation) ? 'repeated-answer' : 'repeated-error'
    const cause = { code: 'error', params: { message: observation.message ?? '' } } as const
    const reason = { code, params: { call: subject, times: repeats }, cause } as const
    const seen = { id: `errors ${error}`, members: [subject], signs, repeats, events: seqs, reason }
    return [next, { ...seen, confidence: confidenceOf(weight - 1) }]
  },
}
