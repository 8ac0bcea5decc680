import type { FailureClass } from './failure.ts'
import type { Sketch } from './finding.ts'
import type { Json } from './json.ts'
import { BRIEF, brief, hash } from './signature.ts'

/**
 * A detector is a small pure value in the manner of a sans-I/O algorithm: a state that is plain JSON, and a
 * function from one sighting to the next state. Time and the number of the event are in the sighting; the
 * cost of one is bounded by a constant, never by the length of the run.
 *
 * Its state is a cache. When `version` changes, stored states are dropped and folded again from the journal.
 */
export interface Detector<S extends Json, O, K extends Sighting['kind']> {
  readonly name: string
  readonly version: number
  readonly start: S
  /** The kinds of sighting it is shown: it has nothing to say about others. */
  readonly sees: readonly K[]
  observe(state: S, sighting: Extract<Sighting, { kind: K }>, options: O): readonly [S, Sketch | undefined]
}

/** What detectors look at: an event, reduced to what any of them needs. */
export type Sighting =
  /** A state was entered. `hash` is of the channels that count. */
  | { readonly kind: 'entered'; readonly seq: number; readonly at: number; readonly state: string; readonly hash: string }
  | Answered
  /** The model spoke. `command`: it asked for at least one tool, or was not expected to. */
  | { readonly kind: 'said'; readonly seq: number; readonly at: number; readonly subject: string; readonly hash: string; readonly command: boolean }

/** A call was answered, for good. `outcome` is the hash of its result, or the key of its error. */
export interface Answered {
  readonly kind: 'answered'
  readonly seq: number
  readonly at: number
  readonly subject: string
  readonly key: string
  readonly outcome: string
  readonly ok: boolean
  /** It changed the world. */
  readonly wrote?: true
  readonly class?: FailureClass
  readonly message?: string
}

/**
 * Call and answer as one item, to tell repetitions by. A call that failed again has brought the same again, whatever it
 * said: first "503", then "the breaker is open", is one loop.
 */
export function itemOf({ key, ok, outcome }: Answered): string {
  return ok ? `${brief(key)}${brief(outcome)}` : `${brief(key)} failed`
}

/** The signature of the call in an item: what was asked, whatever came of it. */
export function signOf(item: string): string {
  return item.slice(0, BRIEF)
}

/**
 * What an answer adds to what is known: seen before, it is no news. A write that succeeded is told by its call, because
 * what came of it is in the world: eight files written, each answered `{ ok: true }`, are eight pieces of news.
 */
export function newsOf(answer: Answered): string {
  return brief(hash(answer.wrote ? itemOf(answer) : `${answer.subject} ${answer.outcome}`))
}
