/** What detectors are shown. */
import type { FailureClass } from '../failure/failure.ts'
import { hash, SHORT_HASH, shortHash } from '../data/signature.ts'
import type { AnswerKind } from './answer-features.ts'
import type { RequestFeatures } from './request-features.ts'

/** What detectors look at: an event, reduced to what any of them needs. */
export type Observation =
  /** A state was entered. `hash` is of the channels that count. */
  | {
      readonly kind: 'entered'
      readonly seq: number
      readonly at: number
      readonly state: string
      readonly hash: string
    }
  | AnsweredObservation
  | SpokenObservation

/** Somebody spoke. */
export interface SpokenObservation {
  readonly kind: 'said'
  readonly seq: number
  readonly at: number
  readonly subject: string
  readonly hash: string
  /** Characters of the text. */
  readonly length: number
  /** It asked for at least one tool, or was not expected to. */
  readonly command: boolean
  /** Something was done since the last text: a call, or a person's decision. */
  readonly acted?: true
  /** It is the person, or what stands for one: who nudges an agent does not repeat himself in vain. */
  readonly person?: true
}

/** A call was answered, for good. `outcome` is the same for answers that say the same. */
export interface AnsweredObservation {
  readonly kind: 'answered'
  readonly seq: number
  readonly at: number
  /** The seq of the first answer of its round: calls made side by side are one round. */
  readonly round: number
  readonly subject: string
  readonly key: string
  readonly outcome: string
  readonly ok: boolean
  /** Its answer says that it failed, in whatever way it says so; what is not `ok` has. */
  readonly failed: boolean
  readonly tone: AnswerKind
  /** What it asked; absent, only the same arguments count as alike. */
  readonly request?: RequestFeatures
  /** It changed the world. */
  readonly wrote?: true
  readonly class?: FailureClass
  readonly message?: string
}

/** Call and answer as one item of `ITEM` characters, to tell repetitions by. */
export function itemOf({ key, outcome }: AnsweredObservation): string {
  return `${shortHash(key)}${shortHash(outcome)}`.padEnd(ITEM)
}

export const ITEM = 2 * SHORT_HASH

/** The signature of the call in an item: what was asked, whatever came of it. */
export function signOf(item: string): string {
  return item.slice(0, SHORT_HASH)
}

/**
 * What an answer adds to what is known: seen before, it is no news. A write that succeeded is told by its call, because
 * what came of it is in the world: eight files written, each answered `{ ok: true }`, are eight pieces of news.
 */
export function newsOf(answer: AnsweredObservation): string {
  return shortHash(hash(answer.wrote ? itemOf(answer) : `${answer.subject} ${answer.outcome}`))
}
