import type { Reason } from '../reason/reason.ts'
import type { Spent } from './call-event.ts'
import type { FailureClass } from '../failure/failure.ts'

/** What a detector found. The journal, reviews and the inspector show the same object. */
export interface Finding {
  readonly kind: FindingKind
  /** The detector, as named in `detect:`. */
  readonly detector: string
  readonly region: string
  /** Equal for every occurrence of one loop, at any rotation. */
  readonly id: string
  /** What repeats, in order: calls, states, or the failed part. */
  readonly members: readonly string[]
  /** The signatures of the repeated calls. Dismissing the finding ignores them. */
  readonly signs?: readonly string[]
  readonly period: number
  readonly repeats: number
  /** The seq of the first event of the loop, and of the event at which it was found. */
  readonly onset: number
  readonly noticed: number
  /** The states between onset and notice, where a route may start. */
  readonly states: readonly string[]
  /** The seqs of the events that show it, or of the latest of them. */
  readonly events: readonly number[]
  /** From 0 to 1 (`confidenceOf`). Absent if the finding is certain. */
  readonly confidence?: number
  /** What the thread spent between onset and notice. */
  readonly burned: Spent
  /** Why it is a finding, and the failed call behind it. */
  readonly reason: Reason
  /** The class of the failure, for findings of kind `failure`. */
  readonly class?: FailureClass
  /** The threads of a scope with the same finding, oldest first. */
  readonly earlier?: readonly EarlierFinding[]
  /** The scope whose limit is reached: too many threads with the finding, or a spent budget. */
  readonly scope?: string
}

/** The same finding in an earlier thread of a scope. `used` counts the rungs that it took. */
export interface EarlierFinding {
  readonly scope: string
  readonly thread: string
  readonly seq: number
  readonly at: number
  readonly reason: Reason
  readonly used: Readonly<Record<string, number>>
}

/**
 * - `loop`: repetition; `stall`: activity without news; `noToolCall`: an answer without a required call; `degenerateOutput`: an answer that repeats itself
 * - `budget`: a limit is reached; `failure`: an outcome without an edge; `circuit`: an open breaker refused the call
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

/** A finding of a detector. The watchdog adds the place, the time and the cost. */
export type FindingDraft = Omit<Finding, 'region' | 'states' | 'noticed' | 'burned'>

/** What a detector found. Its kind, name and defaults complete the draft. */
export type DraftTerms = Pick<FindingDraft, 'members' | 'events' | 'reason'> & Partial<FindingDraft>

/** Completes the draft of a finding. By default, its events show one occurrence. */
export function findingDraft(kind: FindingKind, detector: string, of: DraftTerms): FindingDraft {
  const { members, events } = of
  const times = { period: 1, repeats: 1, onset: events[0] ?? 0 }
  return { kind, detector, id: `${detector} ${members.join()}`, ...times, ...of }
}

/** A dismissed repetition: the id of the finding, the signatures of its calls, and its states. */
export interface Dismissed {
  readonly id: string
  readonly signs: readonly string[]
  readonly states: readonly string[]
}

/** A question that a thread of a scope asked a person. */
export interface ScopeQuestion {
  readonly effect: string
  /** The id of the finding. */
  readonly id: string
  readonly reason: Reason
  /** In ms. */
  readonly deadline?: number
  /** The scope caused the question: its threads together spent its budget, or had too many findings. */
  readonly ofScope?: true
}

/** What the other threads of a scope spent and found, as a thread records it. */
export interface PeerSummary {
  readonly scope: string
  readonly key: string
  /** By the others, within the window. */
  readonly spent: Spent
  readonly loops: readonly { readonly id: string; readonly threads: readonly EarlierFinding[] }[]
  readonly dismissed: readonly Dismissed[]
  /** For a thread that has not started and must wait: the question of another thread. */
  readonly held?: Pick<ScopeQuestion, 'effect' | 'reason'> & { readonly thread: string }
}
