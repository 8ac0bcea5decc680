/**
 * The same or a similar call with the same answer `times` times among the latest `within` calls, with any calls in between.
 *
 * Intuition: an agent that repeats a question and gets the same answer has forgotten that it asked. Each earlier call with the
 * same answer is evidence, weighted by how similar the calls are and how much the agent learned since. One sum finds exact
 * repetition, reworded searches, drifting indices and cycles in any order.
 *
 * Hard cases: writes that are all answered "ok", paging (`page`), waiting, a failing test between real edits, and one that always passes. An answer that
 * unrelated questions get as well says little, therefore it counts by the share of the similar ones.
 *
 * So does a new combination of known values, which is like neither its neighbors in a grid nor a number that drifts.
 *
 * Rejected: counting equal calls in a window, which misses a changed word and ignores news in between; and comparing calls
 * without their answers, which stops healthy runs.
 */
import { type BuiltIn, TOLERANCE, DECAY, confidenceOf, WRITTEN } from './detector.ts'
import { type AnsweredObservation, evidenceTone } from '../normalize/observed.ts'
import type { SpokenObservation } from '../normalize/observed.ts'
import type { MinHash } from '../text/similarity.ts'
import { namesOther } from '../normalize/operands.ts'
import { isOtherQuery, type Query } from '../normalize/query.ts'
import { hasHashes, hashCount, oneHash, similarity, sharedCount } from '../text/similarity.ts'
import { hashNumber, remember, SHORT_HASH, shortHash, cycleKey } from '../data/json.ts'
import type { AnswerKind } from '../normalize/answer-kind.ts'

type AnsweredCall = {
  readonly sign: string
  /** Equal for equal answers of one tool. */
  readonly answer: string
  readonly words: MinHash
  readonly numbers: MinHash
  /** The name that a search looks for, if it is known. */
  readonly asked?: MinHash
  /** What a query of a database is about. */
  readonly query?: Query
  /** The words of a command, or the names among the arguments. */
  readonly operands?: string
  /** The call combined known values as none before it. */
  readonly combines?: true
  /** The text of the agent before the call, if it is long enough to count. */
  readonly said?: string
  /** The number of answers with news up to this one. */
  readonly age: number
  /** The call itself failed. */
  readonly failed?: true
  readonly batch: number
  readonly seq: number
}

type State = {
  readonly calls: readonly AnsweredCall[]
  /** The number of answers with news. */
  readonly age: number
  /** The latest text of the agent, if it is long enough to count. */
  readonly said: string
  /** The signs of the latest writes in one string, newest last, and the age after the latest write that is not the same as one of them. */
  readonly writes: string
  readonly written: number
}

const WRITES_MAX = 16 * SHORT_HASH

/** Calls below this similarity are unrelated. Above it, they count by their similarity. */
const DISSIMILAR = 0.4
/** The most that a similar call counts: three similar calls are not enough, four are. */
const NEARLY = 0.8
/**
 * Words that two calls must share before a short answer to both is evidence, unless they search. Twenty pages may all exist. A call
 * with more words that is answered by "ok" is a write.
 */
const SUBSTANCE = 6
/**
 * The weight of the same call after the same text, with another answer: the agent ignored the answer. Also of the same answer to the
 * same call if it was to come back later, or after another pause.
 */
const HALF = 0.5
const SAID_MIN = 60

/** The weight of the same answer to a similar call: "ok" and "not found" are right answers to many calls. */
const NEAR: Readonly<Record<AnswerKind, number>> = {
  plain: 1,
  brief: 1,
  bland: 0.25,
  empty: 0.25,
  nothing: 0.55,
  later: HALF,
  unseen: 0,
}

export const repetition: BuiltIn<State, 'repetition', 'answered' | 'said'> = {
  name: 'repetition',
  version: 26,
  start: { calls: [], age: 0, said: '', writes: '', written: 0 },
  finds: 'loop',
  sees: ['answered', 'said'],
  observe(state, observation, { times, within }) {
    if (observation.kind === 'said') return [withMessage(state, observation), undefined]
    const now = callOf(state, observation)
    const { laps, proof } = weighEvidence(state, now, observation)
    const news = proof < TOLERANCE && !observation.failed
    const age = state.age + (news ? (hasWritten(observation) ? WRITTEN : 1) : 0)
    const others = withoutRecovered(state.calls, now)
    const calls = remember(others, { ...now, age }, within)
    const next = withWrite({ ...state, age, calls }, observation)
    if (proof < times - 1 - TOLERANCE) return [next, undefined]
    return [next, draftOf(observation, [...laps, now], proof)]
  },
}

/** A text that answers what a graph asks explains no call. */
function withMessage(state: State, { person, asked, length, hash }: SpokenObservation): State {
  const said = length < SAID_MIN || asked ? '' : shortHash(hash)
  return person || said === state.said ? state : { ...state, said }
}

/** What the same write again changes is known. */
function withWrite(state: State, { wrote, key }: AnsweredObservation): State {
  const sign = shortHash(key)
  if (!wrote || state.writes.includes(sign)) return state
  const writes = (state.writes + sign).slice(-WRITES_MAX)
  return { ...state, writes, written: state.age }
}

/** The answer and its tool. The names of tools may be long, and the state has many answers. */
const signOf = ({ answerHash, subject }: AnsweredObservation): string =>
  shortHash(answerHash) + oneHash(hashNumber(subject))

function callOf({ age, said }: State, answer: AnsweredObservation): AnsweredCall {
  const { key, request, batch, seq } = answer
  return {
    sign: shortHash(key),
    answer: signOf(answer),
    words: request?.words ?? '',
    numbers: request?.numbers ?? '',
    ...(request?.asked !== undefined && { asked: request.asked }),
    ...(request?.query !== undefined && { query: request.query }),
    ...(request?.operands !== undefined && { operands: request.operands }),
    ...(request?.combines && { combines: true }),
    ...(said !== '' && { said }),
    age,
    ...(!answer.ok && { failed: true }),
    batch,
    seq,
  }
}

/**
 * A call that fails and then succeeds has recovered: its failures answered no question. A failure that is an answer may be about
 * another item each time.
 */
const withoutRecovered = (calls: Calls, now: AnsweredCall): Calls =>
  now.failed ? calls : calls.filter(({ failed, sign }) => !failed || sign !== now.sign)

/** A write, also an undeclared one: a call with many words that is answered only by "ok". A thought is not a write. */
const hasWritten = ({ wrote, tone, request }: AnsweredObservation): boolean =>
  wrote === true ||
  (tone === 'bland' && !request?.thinks && hashCount(request?.words ?? '') > SUBSTANCE)

type Calls = readonly AnsweredCall[]

/** The earlier calls that this one repeats, and how much they prove together. */
function weighEvidence({ calls, written }: State, now: AnsweredCall, answer: AnsweredObservation) {
  const laps: AnsweredCall[] = []
  // Waiting asks no question.
  if (answer.request?.aim === 'wait') return { laps, proof: 0 }
  const proof = { same: 0, near: 0 }
  const questions = { alike: 0, unlike: 0 }
  // A batch proves as much as its strongest call.
  let best = { batch: -1, proof: 0 }
  for (const before of calls) {
    // Parallel calls of one batch do not repeat each other.
    if (before.batch === now.batch) continue
    const weight = isOutdated(before, written, answer) ? undefined : weightOf(before, now, answer)
    if (weight === undefined) continue
    if (weight === 0) {
      questions.unlike++
      continue
    }
    laps.push(before)
    const proven = weight * DECAY ** (now.age - before.age)
    const known = before.batch === best.batch ? best.proof : 0
    const more = Math.max(0, proven - known)
    best = { batch: before.batch, proof: known + more }
    if (before.sign === now.sign) proof.same += more
    else {
      questions.alike++
      proof.near += more
    }
  }
  const { alike, unlike } = questions
  const near = unlike === 0 ? proof.near : (proof.near * alike) / (alike + unlike)
  return { laps, proof: proof.same + near }
}

/** The same check before the latest new write. One that fails alike shows that the writes change nothing. */
const isOutdated = (before: AnsweredCall, written: number, answer: AnsweredObservation): boolean =>
  before.age < written &&
  !answer.failed &&
  !answer.complains &&
  before.sign === shortHash(answer.key) &&
  before.answer === signOf(answer)

/** The weight of one earlier call: 0 if an unrelated question got the same answer, `undefined` if it proves nothing either way. */
function weightOf(before: AnsweredCall, now: AnsweredCall, answer: AnsweredObservation) {
  const { wrote, quotes, request } = answer
  const tone = evidenceTone(answer)
  const same = before.sign === now.sign
  if (request?.aim === 'poll') return weightOfPoll(before, now, answer)
  if (before.answer !== now.answer)
    return same && now.said && before.said === now.said ? HALF : undefined
  const again = tone === 'later' ? HALF : 1
  if (same) return again
  // `errors` weighs the failures of other items.
  if (answer.items !== undefined) return undefined
  // The effect of another write is in the external system. `sameAnswer` weighs answers that quote the call.
  if (wrote || quotes || before.combines || now.combines) return undefined
  if (now.words === '' && now.numbers === '') return 0
  if (asksOther(before, now)) return 0
  const alike = similarity(before.words, now.words)
  // Another order of words, or other symbols: the same question.
  const bland = tone === 'bland' || tone === 'empty'
  if (alike === 1 && before.numbers === now.numbers) return bland ? NEAR.bland : again
  if (alike < DISSIMILAR || seeksOther(before, now)) return 0
  const foundNothing = request?.aim === 'seek' && (tone === 'nothing' || tone === 'empty')
  if (foundNothing && isNarrower(now, before)) return 1
  // Numbers may drift without progress, names are the items of a list.
  if (alike < 1 && bland) return undefined
  const few = tone === 'brief' && request?.aim !== 'seek'
  if (few && sharedCount(before.words, now.words) < SUBSTANCE) return undefined
  return Math.min(NEARLY, alike) * NEAR[tone]
}

/** Another answer is what the agent waited for. `sequence` weighs the same answer after the same pause, but not between other calls. */
function weightOfPoll(before: AnsweredCall, now: AnsweredCall, answer: AnsweredObservation) {
  if (isSamePoll(before, now, answer)) return HALF
  const fails = answer.failed || answer.complains
  return before.sign === now.sign && before.answer === now.answer && fails ? 1 : undefined
}

/** The same command after another pause. */
const isSamePoll = (
  before: AnsweredCall,
  now: AnsweredCall,
  { wrote, tone }: AnsweredObservation,
) =>
  before.answer === now.answer &&
  before.sign !== now.sign &&
  similarity(before.words, now.words) === 1 &&
  before.numbers === now.numbers &&
  before.operands === now.operands &&
  !wrote &&
  NEAR[tone] === 1

/** Another query of a database. Filters may differ only in the names of fields. */
const asksOther = ({ query }: AnsweredCall, now: AnsweredCall): boolean =>
  query !== undefined && now.query !== undefined && isOtherQuery(query, now.query)

/** A search for something else, in the same place, or the same command or tool for something else. */
function seeksOther({ asked, operands }: AnsweredCall, now: AnsweredCall): boolean {
  if (asked !== undefined && now.asked !== undefined && similarity(asked, now.asked) < DISSIMILAR)
    return true
  return operands !== undefined && namesOther(operands, now.operands)
}

/** A search that adds words to one that found nothing finds nothing either. Between numbers, another one is a choice: 1 floor, then 2. */
const isNarrower = (now: AnsweredCall, before: AnsweredCall): boolean =>
  hasHashes(now.words + now.numbers, before.words + before.numbers) &&
  (now.words !== before.words || before.numbers === '')

function draftOf(of: AnsweredObservation, calls: Calls, proof: number) {
  const { subject, tone } = of
  const signs = [...new Set(calls.map(({ sign }) => sign))]
  const answers = new Set(calls.map(({ answer }) => answer))
  const same = signs.length === 1
  // Equal calls have the id that `sequence` gives them. Similar calls share their answer.
  const id = same ? cycleKey(signs) : `repetition ${shortHash(of.answerHash)} ${subject}`
  const nothingNew = tone === 'unseen' ? 'unknown' : 'nothing-new'
  const result = answers.size > 1 ? 'same-words' : nothingNew
  const compared = { arguments: same ? 'same' : 'similar', result } as const
  const times = calls.length
  const reason = { code: 'repeated-call', params: { call: subject, times, ...compared } } as const
  const seen = { members: [subject], signs, repeats: times, events: calls.map(({ seq }) => seq) }
  return { id, ...seen, confidence: confidenceOf(proof), reason }
}
