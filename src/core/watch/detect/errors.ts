/**
 * The same error of the same tool `times` times. Successes in between reduce the weight of the earlier ones.
 *
 * Intuition: trying other arguments does not help when the error stays the same. Ids, places and text that the message quotes
 * from the call do not make it another error, but "2 failing" differs from "3 failing". A call that fails and then succeeds has
 * recovered: its failures were no obstacle.
 *
 * Hard case: an agent that sometimes succeeds may still fail the same way in between. Three failures in a row are a loop,
 * three in an afternoon are not. A tool that succeeds for most items, and fails alike for the others, works: failures of other items count
 * once too many of them come in a row. A person who answers in new words asks for another attempt; a harness that repeats its complaint
 * does not. Rejected: resetting the count at a success, which misses the first of these. A recovery takes only the weight of its
 * own call.
 */
import { type BuiltIn, TOLERANCE, DECAY, confidenceOf, WRITTEN } from './detector.ts'
import { evidenceTone, foundNothing, isEmptySearch } from '../normalize/observed.ts'
import { remember, shortHash } from '../data/json.ts'

/** Weights are as of `age`. That of a row includes calls that are no longer listed. */
type Row = readonly [error: string, weight: number, age: number, batch: number, calls: Calls]
/** The seqs of the latest failures. */
type Calls = readonly (readonly [sign: string, weight: number, ...seqs: number[]])[]

/** `age`: how many calls have succeeded, with writes counted more than once. `person`: the latest text of a person. */
type State = {
  readonly rows: readonly Row[]
  readonly age: number
  readonly person: string
}

const ROWS_MAX = 6
const CALLS_MAX = 8
const FAILURES_MAX = 8
/** Weights have three decimals, which keeps the state small. Below this, nothing but their rounding remains of a row. */
const WEIGHT_MIN = 0.01
/** A search without a result, or a request to come back later, is half a failure. */
const HALF = 0.5

export const errors: BuiltIn<State, 'errors', 'answered' | 'said'> = {
  name: 'errors',
  version: 14,
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
    const { failed, wrote, subject, answerHash, key, batch, seq, items } = observation
    const sign = shortHash(key)
    // `sameAnswer` weighs searches.
    if (!failed || isEmptySearch(observation)) {
      if (rows.length === 0) return [state, undefined]
      const left = rows.flatMap(row => withoutCall(row, sign))
      return [{ ...state, rows: left, age: age + (wrote ? WRITTEN : 1) }, undefined]
    }
    const error = `${shortHash(answerHash)} ${subject}`
    const known = rows.find(row => row[0] === error)
    const [, earlier, then, lastBatch, before] = known ?? [error, 0, age, -1, []]
    if (lastBatch === batch) return [state, undefined]
    const isOther = before.every(([other]) => other !== sign)
    const one = evidenceTone(observation) === 'plain' ? 1 : HALF
    const share = isOther && items ? times / items.beyond : undefined
    const added = share ?? one
    const sum = decayed(earlier, age - then) + added
    const weight = share && items ? Math.min(share * items.row, sum) : sum
    const calls = withFailure(before, age - then, { sign, added, seq })
    const others = known ? rows.filter(row => row !== known) : rows
    const next = {
      ...state,
      rows: remember<Row>(others, [error, weight, age, batch, calls], ROWS_MAX),
    }
    if (weight < times - TOLERANCE) return [next, undefined]
    const events = seqsOf(calls)
    const repeats = events.length
    const code = foundNothing(observation) ? 'repeated-answer' : 'repeated-error'
    const cause = { code: 'error', params: { message: observation.message ?? '' } } as const
    const reason = { code, params: { call: subject, times: repeats }, cause } as const
    const signs = calls.map(([each]) => each)
    const seen = { id: `errors ${error}`, members: [subject], signs, repeats, events, reason }
    return [next, { ...seen, confidence: confidenceOf(weight - 1) }]
  },
}

const decayed = (weight: number, news: number): number =>
  Math.round(weight * DECAY ** news * 1_000) / 1_000

const seqsOf = (calls: Calls) => calls.flatMap(([, , ...seqs]) => seqs).toSorted((a, b) => a - b)

/** The calls after another failure, `news` calls after the latest one. */
function withFailure(
  calls: Calls,
  news: number,
  { sign, added, seq }: { readonly sign: string; readonly added: number; readonly seq: number },
): Calls {
  const known = calls.find(([other]) => other === sign)
  const [, weight, ...seqs] = known ?? [sign, 0]
  const others = calls.flatMap(
    ([other, before, ...seqs]): Calls =>
      other === sign ? [] : [[other, decayed(before, news), ...seqs]],
  )
  const now = [sign, decayed(weight, news) + added, ...seqs, seq] as const
  const all = remember<Calls[number]>(others, now, CALLS_MAX)
  const oldest = seqsOf(all).at(-FAILURES_MAX) ?? 0
  return all.map(([of, weight, ...seqs]) => [of, weight, ...seqs.filter(at => at >= oldest)])
}

/** The row without the failures of a call that has succeeded. None if nothing remains. */
function withoutCall(row: Row, sign: string): readonly Row[] {
  const [error, weight, age, batch, calls] = row
  const call = calls.find(([other]) => other === sign)
  if (!call) return [row]
  const left = weight - call[1]
  if (left < WEIGHT_MIN) return []
  return [[error, left, age, batch, calls.filter(other => other !== call)]]
}
