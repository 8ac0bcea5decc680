import type { FailureClass } from '../failure/failure.ts'
import type { Reason } from '../reason/reason.ts'
import type { Spent } from './spent.ts'

/**
 * What a detector saw. One shape for all of them, because the journal, the question to a person, the lessons
 * and the inspector show the same object.
 */
export interface Finding {
  readonly kind: FindingKind
  /** The detector, as named in `detect:`. */
  readonly detector: string
  readonly region: string
  /** The same for every occurrence of one loop, wherever in it one starts reading. */
  readonly id: string
  /** What repeats, in order: calls, states, or the failing thing. */
  readonly members: readonly string[]
  /** The signatures of the calls that repeat, where calls do: what a person dismisses. */
  readonly signs?: readonly string[]
  readonly period: number
  readonly repeats: number
  /** The seq of the event with which it began, and of the one at which it was seen. */
  readonly onset: number
  readonly noticed: number
  /** The states the run was in between onset and notice: where a way out may start. */
  readonly states: readonly string[]
  /** The seqs of the events that show it; the latest, where there are many. */
  readonly events: readonly number[]
  /** The confidence of the detector, from 0 to 1 (`confidenceOf`); absent where it is a fact. */
  readonly confidence?: number
  /** What was spent between onset and notice. */
  readonly burned: Spent
  /** Why it is a finding, and the failed call behind it. */
  readonly reason: Reason
  /** The class of the failure, for findings of kind `failure`. */
  readonly class?: FailureClass
  /** Threads of a scope that met the same before, oldest first. */
  readonly earlier?: readonly EarlierFinding[]
  /** The scope that has had enough of it: too many threads met it, or its budget is spent. */
  readonly scope?: string
}

/** The same finding in an earlier thread of a scope. */
export interface EarlierFinding {
  readonly scope: string
  readonly thread: string
  readonly seq: number
  readonly at: number
  readonly reason: Reason
  /** The rungs by which it was let out, and how often. */
  readonly used: Readonly<Record<string, number>>
}

/**
 * - `loop`: the same again; `stall`: on the move, but nothing new; `noToolCall`: an answer without a required call; `degenerateOutput`: an answer that repeats itself
 * - `budget`: a limit is reached; `failure`: an outcome that no edge takes; `circuit`: refused by an open breaker
 * - `scope`: another thread of the scope asks a person
 */
export type FindingKind =
  | 'loop'
  | 'stall'
  | 'noToolCall'
  | 'degenerateOutput'
  | 'budget'
  | 'failure'
  | 'circuit'
  | 'scope'

/** A finding as its detector makes it; the watchdog adds where, when, and what was burned. */
export type FindingDraft = Omit<Finding, 'region' | 'states' | 'noticed' | 'burned'>

/** A repetition that a person has dismissed. */
export interface Dismissed {
  /** The finding it was. */
  readonly id: string
  /** The signatures of its calls. */
  readonly signs: readonly string[]
  /** The states it went through. */
  readonly states: readonly string[]
}
