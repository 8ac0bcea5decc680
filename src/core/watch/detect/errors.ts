import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Detector } from './detector.ts'
import { remember } from '../data/json.ts'
import { shortHash } from '../data/signature.ts'
import { TOLERANCE, DECAY, confidenceOf, WRITTEN } from '../data/confidence.ts'

/** An error, how often it came, when, and where. */
type Row = readonly [
  error: string,
  weight: number,
  age: number,
  round: number,
  signs: readonly string[],
  seqs: readonly number[],
]

type State = {
  readonly rows: readonly Row[]
  /** How many calls have succeeded, writes counted more than once. */
  readonly age: number
}

const ROWS_MAX = 8
const SEQS_MAX = 8
/** Nothing found in yet another place, or a wish that one come back later, is hardly a failure. */
const HARDLY = 0.4

/**
 * The same error of the same tool `times` times; what succeeds in between makes the earlier ones count for less.
 *
 * Intuition: trying every key on the ring is no plan when the door says "bricked up" each time. Arguments may differ;
 * ids, places and whatever the message quotes of the call do not make it another error, but "2 failing" is not "3 failing".
 *
 * Rejected: starting anew at a success. An agent that now and then does something right goes on failing the same way in
 * between. But what comes of other work makes an old error older: three in a row are a loop, three in an afternoon are not.
 */
export const errors: Detector<State, OptionsOf<'errors'>, 'answered'> = {
  name: 'errors',
  version: 5,
  start: { rows: [], age: 0 },
  sees: ['answered'],
  observe(state, observation, { times }) {
    const { rows, age } = state
    if (!observation.failed)
      return [
        rows.length === 0 ? state : { rows, age: age + (observation.wrote ? WRITTEN : 1) },
        undefined,
      ]
    const { subject, tone, outcome, key, round, seq } = observation
    const error = `${shortHash(outcome)} ${subject}`
    const before = rows.find(row => row[0] === error)
    if (before?.[3] === round) return [state, undefined]
    const weight =
      (before ? before[1] * DECAY ** (age - before[2]) : 0) + (tone === 'plain' ? 1 : HARDLY)
    const sign = shortHash(key)
    const signs = remember(before?.[4].filter(other => other !== sign) ?? [], sign, SEQS_MAX)
    const seqs = remember(before?.[5] ?? [], seq, SEQS_MAX)
    const others = before ? rows.filter(row => row !== before) : rows
    const next = {
      age,
      rows: remember(others, [error, weight, age, round, signs, seqs] as const, ROWS_MAX),
    }
    if (weight < times - TOLERANCE) return [next, undefined]
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
        confidence: confidenceOf(weight - 1),
        reason: {
          code: 'repeated-error',
          params: { call: subject, times: seqs.length },
          cause: { code: 'error', params: { message: observation.message ?? '' } },
        },
      },
    ]
  },
}
