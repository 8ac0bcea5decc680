import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Detector } from './detector.ts'
import type { AnsweredObservation, SpokenObservation } from '../normalize/observed.ts'
import type { FindingDraft } from '../event/finding.ts'
import { similarity, sharedCount, type MinHash } from '../normalize/similarity.ts'
import { remember } from '../data/json.ts'
import type { AnswerKind } from '../normalize/answer-features.ts'
import { shortHash, cycleKey } from '../data/signature.ts'
import { TOLERANCE, DECAY, confidenceOf, WRITTEN } from '../data/confidence.ts'

/** A call that was answered. */
type AnsweredCall = {
  readonly sign: string
  /** The same for the same answer of the same tool. */
  readonly answer: string
  readonly words: MinHash
  readonly numbers: MinHash
  /** What the agent said before it. */
  readonly said: string
  /** How many answers had been news. */
  readonly age: number
  readonly round: number
  readonly seq: number
}

type State = {
  readonly calls: readonly AnsweredCall[]
  /** How many answers have been news. */
  readonly age: number
  /** The latest text of the agent, where it was one worth repeating. */
  readonly said: string
}

/** Less alike than this, two calls are two questions. */
const SIMILAR = 0.6
/** And less than this, two that have nothing to do with each other. */
const DISSIMILAR = 0.4
/** However alike, not the same: for what is only nearly the third time, one waits for a fourth. */
const NEARLY = 0.8
/** So many words must two calls share before a short sentence that answers both says anything: twenty pages may all be there. Who seeks is answered as he asked. */
const SUBSTANCE = 6
/** The same words before the same call: whatever came of it, it was not heard. */
const SAME_WORDS = 0.5
const WORTH_REPEATING = 60
/** Below this, an answer is news. */
const NEWS = 0.3

/** What the same answer to the same question proves. Coming back later is what was asked for, and not knowing what came of it, one knows most. */
const SAME: Readonly<Record<AnswerKind, number>> = {
  plain: 1,
  brief: 1,
  bland: 1,
  nothing: 1,
  later: 0.4,
  unseen: 0.9,
}
/** To nearly the same question it proves less, if it says little: that all is well, or that there is nothing in this place either. */
const NEAR: Readonly<Record<AnswerKind, number>> = {
  plain: 1,
  brief: 1,
  bland: 0.25,
  nothing: 0.55,
  later: 0.4,
  unseen: 0,
}

/**
 * The same call, or nearly the same, with the same answer `times` times among the latest `within` calls, whatever lies between.
 *
 * Intuition: somebody who asks the same question again and gets the same answer has forgotten that he asked. Rewording it
 * is no other question, and other calls in between do not excuse it, which is what `sequence` cannot see.
 *
 * Each earlier call with the same answer is evidence, by how alike the calls are and how much was learnt since. So one sum
 * sees exact repetition, reworded searches, drifting indices and cycles in any order, and forgets what lies behind news.
 * An answer that quite other questions get as well tells questions apart from nothing: it counts by the share of those alike.
 * Hard cases: writes that are all answered "ok", paging (`page`), waiting, and the same failing test between real edits.
 * Rejected: counting equal calls in a window, which is blind to a changed word and deaf to what happened in between; and
 * comparing calls without their answers, by which most watchdogs in the field stop healthy runs.
 */
export const repetition: Detector<State, OptionsOf<'repetition'>, 'answered' | 'said'> = {
  name: 'repetition',
  version: 9,
  start: { calls: [], age: 0, said: '' },
  sees: ['answered', 'said'],
  observe(state, observation, { times, within }) {
    if (observation.kind === 'said') return [afterMessage(state, observation), undefined]
    const now = withAnswer(state, observation)
    const { laps, proof } = weighEvidence(state.calls, now, observation)
    const news = proof < NEWS && !observation.failed
    const age = state.age + (news ? (observation.wrote ? WRITTEN : 1) : 0)
    const next = { ...state, age, calls: remember(state.calls, { ...now, age }, within) }
    if (proof < times - 1 - TOLERANCE) return [next, undefined]
    return [next, draftOf(observation, [...laps, now], proof)]
  },
}

function afterMessage(state: State, { person, length, hash }: SpokenObservation): State {
  const said = person || length < WORTH_REPEATING ? '' : shortHash(hash)
  return person || said === state.said ? state : { ...state, said }
}

function withAnswer(
  { age, said }: State,
  { subject, key, outcome, request, round, seq }: AnsweredObservation,
): AnsweredCall {
  return {
    sign: shortHash(key),
    answer: `${shortHash(outcome)} ${subject}`,
    words: request?.words ?? '',
    numbers: request?.numbers ?? '',
    said,
    age,
    round,
    seq,
  }
}

interface Evidence {
  /** The earlier calls that this one repeats. */
  readonly laps: readonly AnsweredCall[]
  readonly proof: number
}

function weighEvidence(
  calls: readonly AnsweredCall[],
  now: AnsweredCall,
  answer: AnsweredObservation,
): Evidence {
  const laps: AnsweredCall[] = []
  // Who waits asks nothing.
  if (answer.request?.aim === 'wait') return { laps, proof: 0 }
  const proof = { same: 0, near: 0 }
  const questions = { alike: 0, unlike: 0 }
  // A round proves no more than the call in it that proves most.
  let best = { round: -1, proof: 0 }
  for (const before of calls) {
    // Side by side, the same is asked once.
    if (before.round === now.round) continue
    const weight = weightOf(before, now, answer)
    if (weight === undefined) continue
    if (weight === 0) {
      questions.unlike++
      continue
    }
    laps.push(before)
    const proven = weight * DECAY ** (now.age - before.age)
    const known = before.round === best.round ? best.proof : 0
    const more = Math.max(0, proven - known)
    best = { round: before.round, proof: known + more }
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

/** What one earlier call proves; 0 where quite another question was answered by the same; `undefined` where it says nothing either way. */
function weightOf(
  before: AnsweredCall,
  now: AnsweredCall,
  { tone, wrote, request }: AnsweredObservation,
): number | undefined {
  const same = before.sign === now.sign
  if (before.answer !== now.answer)
    return same && now.said !== '' && before.said === now.said ? SAME_WORDS : undefined
  if (same) return SAME[tone]
  // What another write brings is in the world, whatever is said of it.
  if (wrote) return undefined
  if (now.words === '' && now.numbers === '') return 0
  const alike = similarity(before.words, now.words)
  // In another order, with other signs between the words: still the same question.
  if (alike === 1 && before.numbers === now.numbers)
    return tone === 'bland' ? NEAR.bland : SAME[tone]
  if (alike < DISSIMILAR) return 0
  // Something of another name is done: numbers may drift in vain, names are the items of a list.
  if (alike < SIMILAR || (alike < 1 && tone === 'bland')) return undefined
  if (
    tone === 'brief' &&
    request?.aim !== 'seek' &&
    sharedCount(before.words, now.words) < SUBSTANCE
  )
    return undefined
  return Math.min(NEARLY, alike) * NEAR[tone]
}

function draftOf(
  { subject, tone }: AnsweredObservation,
  calls: readonly AnsweredCall[],
  proof: number,
): FindingDraft {
  const signs = [...new Set(calls.map(({ sign }) => sign))]
  const answers = new Set(calls.map(({ answer }) => answer)).size
  return {
    kind: 'loop',
    detector: 'repetition',
    // The name by which `sequence` knows it, too; of calls that differ, what they have in common is their answer.
    id: signs.length === 1 ? cycleKey(signs) : `repetition ${calls.at(-1)?.answer}`,
    members: [subject],
    signs,
    period: 1,
    repeats: calls.length,
    onset: calls[0]?.seq ?? 0,
    events: calls.map(({ seq }) => seq),
    confidence: confidenceOf(proof),
    reason: {
      code: 'repeated-call',
      params: {
        call: subject,
        times: calls.length,
        arguments: signs.length === 1 ? 'same' : 'similar',
        result: answers > 1 ? 'same-words' : tone === 'unseen' ? 'unknown' : 'nothing-new',
      },
    },
  }
}
