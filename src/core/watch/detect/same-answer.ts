/**
 * The same answer of one tool to different calls, `times` times without another answer of the tool.
 *
 * Intuition: a question in words that were all used before is the same question in another order. Its answer was known.
 *
 * Hard cases: sixty names that a search does not find are sixty answers. Each call names something new, therefore it proves
 * nothing, or little if the answer is long and the call is not about a command or a file. So does a new
 * combination of the whole values of its arguments: four origins and five destinations are twenty questions. Of a child, the input is
 * unknown; it also counts if its answers come in turn. "ok" and a status are right answers to many calls. A write is identified by what
 * it writes. Rejected: similarity to each earlier call, which paraphrases do not have; and counting all equal answers, which stops
 * every batch.
 */
import { type BuiltIn, TOLERANCE, DECAY, confidenceOf, WRITTEN } from './detector.ts'
import { type AnsweredObservation, isEmptySearch } from '../normalize/observed.ts'
import type { RequestFeatures } from '../normalize/request-features.ts'
import { addHashes, hasHashes } from '../text/similarity.ts'
import { cycleKey, remember, shortHash } from '../data/json.ts'
import type { DraftParts } from '../event/event.ts'
import { type AnswerTurn, hasUnknownInput, periodOf, turnsAfter } from './answers-in-turn.ts'

/** The latest answer of a tool, and the calls that got it. `weight` is as of `age`. */
type Row = {
  readonly subject: string
  readonly answer: string
  readonly weight: number
  readonly age: number
  readonly batch: number
  /** The words and numbers of these calls. */
  readonly asked: string
  readonly signs: readonly string[]
  readonly seqs: readonly number[]
}

type State = {
  readonly rows: readonly Row[]
  /** The number of other answers, with writes counted more than once. */
  readonly age: number
  readonly turns: readonly AnswerTurn[]
}

const ROWS_MAX = 4
const SEQS_MAX = 12
/** The weight of an answer that may be right for many calls. */
const LITTLE = 0.25
/** Of a query of a database: known tables and columns in another combination are mostly another question. */
const LEAST = 0.15

export const sameAnswer: BuiltIn<State, 'sameAnswer', 'answered'> = {
  name: 'sameAnswer',
  version: 11,
  start: { rows: [], age: 0, turns: [] },
  finds: 'stall',
  sees: ['answered'],
  observe(state, observation, { times }) {
    const { subject, answerHash, key, request, failed, wrote, tone, batch, seq } = observation
    // `errors` weighs failures, and `repetition` calls without a known answer.
    if ((failed && !isEmptySearch(observation)) || tone === 'unseen' || tone === 'later')
      return [state, undefined]
    if (wrote) return [{ rows: [], age: state.age + WRITTEN, turns: [] }, undefined]
    if (!request || request.aim === 'wait' || request.aim === 'poll') return [state, undefined]
    const sign = shortHash(key)
    const answer = shortHash(answerHash)
    const known = state.rows.find(row => row.subject === subject)
    const others = known ? state.rows.filter(row => row !== known) : state.rows
    const isChild = hasUnknownInput(observation)
    const [turns, turn] = isChild ? turnsAfter(state.turns, observation) : [state.turns, undefined]
    if (known?.answer !== answer) {
      const first = { subject, answer, weight: 1, age: state.age + 1, batch }
      const row = { ...first, asked: askedBy(observation), signs: [sign], seqs: [seq] }
      const rows = remember(others, row, ROWS_MAX)
      // Something new of a tool may be the reason for the next children.
      const next = { rows, age: state.age + 1, turns: isChild ? turns : [] }
      return [next, turn && turnDraft(turn, times)]
    }
    // `repetition` weighs equal calls. Parallel calls are one lap.
    if (known.signs.includes(sign) || known.batch === batch)
      return [turns === state.turns ? state : { ...state, turns }, undefined]
    const weight = known.weight * DECAY ** (state.age - known.age) + weightOf(observation, known)
    const signs = remember(known.signs, sign, SEQS_MAX)
    const seqs = remember(known.seqs, seq, SEQS_MAX)
    const asked = addHashes(known.asked, askedBy(observation))
    const row: Row = { subject, answer, weight, age: state.age, batch, asked, signs, seqs }
    const next = { rows: remember(others, row, ROWS_MAX), age: state.age, turns }
    if (weight < times - TOLERANCE) return [next, turn && turnDraft(turn, times)]
    const repeats = seqs.length
    const reason = { code: 'repeated-answer', params: { call: subject, times: repeats } } as const
    const seen = { members: [subject], signs, repeats, events: seqs, reason }
    const id = `sameAnswer ${answer} ${subject}`
    return [next, { id, ...seen, confidence: confidenceOf(weight - 1) }]
  },
}

function turnDraft(turn: AnswerTurn, times: number): DraftParts | undefined {
  const period = periodOf(turn, times)
  if (period === undefined) return undefined
  const { subject, latest, signs, seqs, runs } = turn
  const repeats = Math.floor(Math.max(...runs) / period) + 1
  const params = { call: subject, times: repeats * period }
  const reason = { code: 'repeated-answer', params } as const
  const seen = { members: [subject], signs, period, repeats, events: seqs, reason }
  const id = `sameAnswer ${cycleKey(latest.slice(-period))} ${subject}`
  return { id, ...seen, confidence: confidenceOf(repeats - 1) }
}

/** Each file and each command has a content or an outcome of its own. A plan is what its call stores. */
const isOfOperands = (request: RequestFeatures | undefined): boolean =>
  request?.operands !== undefined &&
  (request.runs === true || request.plans === true || request.files !== undefined)

const askedBy = ({ request }: AnsweredObservation): string =>
  (request?.words ?? '') + (request?.numbers ?? '') + (request?.query?.words ?? '')

function weightOf(answer: AnsweredObservation, { asked }: Row): number {
  const { request, tone, quotes } = answer
  const { words = '', numbers = '', aim } = request ?? {}
  if (request?.query !== undefined) return hasHashes(asked, words + request.query.words) ? LEAST : 0
  const long = tone === 'plain'
  // A new page or limit of a search in known words. A number without words may name an item.
  const isEmpty = tone === 'empty' || isEmptySearch(answer)
  const isCounting = isEmpty && aim === 'seek' && words !== '' && !isOfOperands(request)
  if (!hasHashes(asked, words) || request?.combines)
    return long && !quotes && !isOfOperands(request) ? LITTLE : 0
  if (!hasHashes(asked, numbers)) return (long && !quotes) || isCounting ? LITTLE : 0
  if (long || aim === 'seek' || tone === 'empty') return 1
  return tone === 'brief' ? LITTLE : 0
}
