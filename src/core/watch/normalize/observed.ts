/** Observations: events reduced to what detectors need. */
import type { Dismissed, FindingDraft } from '../event/event.ts'
import { defined, remember, shortHash, hash, SHORT_HASH } from '../data/json.ts'
import type { FailureClass } from '../failure/failure.ts'
import type { AnswerKind } from './answer-kind.ts'
import type { Figures } from '../text/figures.ts'
import type { RequestFeatures } from './request-features.ts'

export type Observation = EnteredObservation | AnsweredObservation | SpokenObservation

type ObservedEvent = Readonly<{ seq: number; at: number }>

/** A state was entered. `hash` covers the channels that count. */
type EnteredObservation = ObservedEvent & Readonly<{ kind: 'entered'; state: string; hash: string }>

/** A shorter text is a label, such as `yes`. An empty one is none. */
const LABEL = 8

export const isLabel = (length: number): boolean => length > 0 && length < LABEL

/** An agent or a person spoke. */
export interface SpokenObservation extends ObservedEvent {
  readonly kind: 'said'
  readonly subject: string
  readonly hash: string
  /** The hash of the text without its calls, if it has calls. */
  readonly textHash?: string
  /** The hash of the words of a sentence, without its numbers, times, ids and symbols. */
  readonly wordsHash?: string
  /** Characters of the text. */
  readonly length: number
  /** The text requested a tool, or needed none. */
  readonly command: boolean
  /** A label that answers something that was not seen: it may be right many times. */
  readonly answers?: true
  /** A call or a decision of a person preceded the text. */
  readonly acted?: true
  /** The graph asked something new before it. */
  readonly asked?: true
  /** The speaker is a person, or a simulated one: a reminder is not a repetition. */
  readonly person?: true
}

/** The failures in a row of a kind that mostly works, and how many of them chance does not explain. */
export interface FailedItems {
  readonly row: number
  readonly beyond: number
}

/** A call got its final answer. Answers with the same content have the same `answerHash`. */
export interface AnsweredObservation extends ObservedEvent {
  readonly kind: 'answered'
  /** The seq of the first answer of its batch. Parallel calls are one batch. */
  readonly batch: number
  readonly subject: string
  readonly key: string
  readonly answerHash: string
  readonly ok: boolean
  /** The call failed, or its answer reports a failure. */
  readonly failed: boolean
  /** A failure of what was called or checked, not of the call. */
  readonly report?: true
  /** Absent unless the tool mostly works. */
  readonly items?: FailedItems
  /** The call succeeded, and its answer has words of failure: of a test that found one. */
  readonly complains?: true
  readonly tone: AnswerKind
  /** The answer quotes the call: with a new question, it is an answer to that question. */
  readonly quotes?: true
  /** The hash of the answer if the ids that earlier writes made are not its items. */
  readonly lapAnswer?: string
  /** The numbers of the answer, unless the call writes, waits or polls. */
  readonly figures?: Figures
  /** Without it, only calls with the same arguments are similar. */
  readonly request?: RequestFeatures
  /** The call wrote to an external system. */
  readonly wrote?: true
  readonly class?: FailureClass
  /** The call failed by a class that says nothing about the next attempt. */
  readonly passes?: true
  /** A person rejected the call. */
  readonly rejected?: true
  readonly message?: string
}

/** The call succeeded, and its answer is that nothing was found. */
export const foundNothing = ({ ok, tone }: AnsweredObservation): boolean => ok && tone === 'nothing'

/** A search that found nothing. Of other calls, it may mean that the call was wrong: "file not found". */
export const isEmptySearch = (answer: AnsweredObservation): boolean =>
  foundNothing(answer) && answer.request?.aim === 'seek'

/** The tone of an answer as evidence. A failure that may pass asks for another attempt, whatever its words. */
export const evidenceTone = ({ tone, passes }: AnsweredObservation): AnswerKind =>
  passes ? 'later' : tone

/** Call and answer as one item of `ITEM_LENGTH` characters. */
export const itemOf = ({
  key,
  answerHash,
}: Pick<AnsweredObservation, 'key' | 'answerHash'>): string =>
  `${shortHash(key)}${shortHash(answerHash)}`.padEnd(ITEM_LENGTH)

export const ITEM_LENGTH = 2 * SHORT_HASH

/** The signature of the call in an item. */
export const signOf = (item: string): string => item.slice(0, SHORT_HASH)

/**
 * What an answer adds to what the agent knows. A write adds its call, because its effect is in the external system: eight files
 * written with the answer `{ ok: true }` are eight pieces of news.
 */
export const newsOf = (answer: AnsweredObservation): string =>
  shortHash(hash(answer.wrote ? itemOf(answer) : `${answer.subject} ${answer.answerHash}`))

const DISMISSED_MAX = 16
/** The subjects of a dismissal that count. */
const MEMBERS_MAX = 4
const BY_STATE: readonly string[] = ['recurrence', 'visits']

export function dismiss(
  dismissed: readonly Dismissed[],
  added: readonly (Pick<FindingDraft, 'id' | 'signs'> & Omit<Dismissed, 'id' | 'signs'>)[],
): readonly Dismissed[] {
  let all = dismissed
  for (const { id, signs = [], states, detector, members } of added) {
    if (all.some(other => other.id === id)) continue
    const subjects = members && [...new Set(members)].slice(0, MEMBERS_MAX)
    const one = { id, signs, states, ...defined({ detector, members: subjects }) }
    all = remember(all, one, DISMISSED_MAX)
  }
  return all
}

/** Detectors do not receive observations of a dismissed repetition. */
export function isDismissed(dismissed: readonly Dismissed[], observation: Observation): boolean {
  return (
    observation.kind === 'answered' &&
    dismissed.some(({ signs }) => signs.includes(shortHash(observation.key)))
  )
}

/** Whether a draft is a dismissed repetition, or one of its states that another detector found. */
export function isDismissedDraft(
  dismissed: readonly Dismissed[],
  { id, detector, members }: FindingDraft,
): boolean {
  const byState = BY_STATE.includes(detector)
  return dismissed.some(
    other => other.id === id || (byState && members.every(name => other.states.includes(name))),
  )
}
