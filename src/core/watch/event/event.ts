/** All events of a thread. The machine and the watchdog are two reducers over this one stream. */
import type { Reason } from '../reason/reason.ts'
import type { ChildEvent, ChildLink, Item } from './child-event.ts'
import type { CallEvent, CircuitEvent, EventsIn, OfEffect, Spent } from './call-event.ts'
import type { ChosenRung, Commanded, ControlEvent, Dismissed } from './control-event.ts'
import type { Driven, GraphVersion, MigrationEvent } from './control-event.ts'
import type { WaitEvent } from './wait-event.ts'
import type { Failure, FailureClass } from '../failure/failure.ts'
import type { Digest, Json } from '../data/json.ts'
import type { Policy } from '../policy/policy.ts'

export type { ChildEvent, ChildLink, ChildOutcome, Item } from './child-event.ts'
export { CHOSEN_RUNGS, type ChosenRung, type Dismissed } from './control-event.ts'
export type { GraphVersion, Injection, MetCondition, MigratedVersion } from './control-event.ts'

/**
 * `at` is in ms, from the host's clock, and never decreases within a thread. `unattended`: the event has a finding, the
 * thread had no follower, and the policy has `escape.unattended`.
 */
export type Stamped<E = AgentEvent> = E & { readonly at: number; readonly unattended?: true }

/** All events of a thread, without their time. */
export type AgentEvent =
  | EventsIn<LifeEvents>
  | EventsIn<NodeEvents>
  | RollbackEvent
  | CallEvent
  | CircuitEvent
  | ChildEvent
  | PersonEvent
  | MigrationEvent

export type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: T }>

/** Events of the thread itself. */
interface LifeEvents {
  'thread.started': ThreadStart
  /** `policy` is the whole policy from the next event on, `change` the requested change in spec notation. */
  'policy.changed': Commanded & { readonly policy: Policy; readonly change?: Json }
  /**
   * The rows before this one are copies of the parent's rows. A fork at event 0 may have another input in the first row. `channels`: the
   * values of channels that a person has edited; an append channel is a list. `unresolved`: the calls of children that go on in the parent
   * and may write.
   */
  forked: Driven & {
    readonly parent: Origin
    readonly effects: ForkEffects
    readonly channels?: Readonly<Record<string, Json>>
    readonly unresolved?: readonly string[]
    /** The first row of the parent, in whose place the fork has one with another input. */
    readonly replaced?: Digest
  }
  /** The next round begins with the first queued message. */
  'round.started': Driven
  /** What the other threads of a scope spent and found. */
  'scope.noted': PeerSummary
  /** The deadline of `effect` is due, or its question moves on to the next person. */
  tick: Driven & { readonly effect: string }
  /** A notification of the question `effect`, once per step of its escalation. `detail`: the response of the notifier, or why it failed. */
  notified: {
    readonly effect: string
    readonly step: number
    readonly notifier: string
    readonly ok: boolean
    readonly attempts: number
    readonly detail: string
  }
}

/** `epoch` separates the time of a driver from the time without one. */
interface ThreadStart extends Driven, GraphVersion {
  readonly input: Json
  readonly seed: number
  /** The thread began in virtual time and stays in it. */
  readonly clock?: 'virtual'
  readonly policy: Policy
  /** The id of the chat message that started the thread. */
  readonly message?: string
  /** The thread that started this one. */
  readonly parent?: Parent
  /** The nested graphs of the thread, outermost first, itself last. Absent if it runs no graphs. */
  readonly lineage?: readonly Ancestor[]
}

/** A thread as it was after event `seq`. */
export type Origin = Readonly<{ thread: string; seq: number }>

/**
 * The external effects of a fork. `refuse` rejects writes and allows reads. `recorded` answers from the parent's journal while
 * the calls are the same, and then acts as `refuse`. `live` allows everything.
 */
export const FORK_EFFECTS = ['refuse', 'recorded', 'live'] as const
export type ForkEffects = (typeof FORK_EFFECTS)[number]

/** The parent of a thread: the event that started the child, and the call that the child answers. */
export interface Parent extends Origin {
  readonly call: string
  /** The identity of graph and input, which the parent requests. Absent in journals of earlier versions. */
  readonly key?: string
  /** The budget reserved for the child. It applies in addition to the child's own policy. */
  readonly limits: Partial<Spent>
  /** How many levels of threads may start below the child. */
  readonly depth: number
  readonly item?: Item
}

/** `key` is the identity of the graph and its initial context. */
export type Ancestor = Readonly<{ graph: string; key: string }>

export type RollbackEvent = EventsIn<{
  /** All writes since the savepoint are undone. */
  'rollback.done': OfEffect
  /** `undone`: the call that could not be undone. */
  'rollback.failed': OfEffect & { readonly undone?: string; readonly failure: Failure }
}>

interface NodeEvents {
  /** The process shut down cleanly while it performed the effect: its start does not count as a crash. */
  'turn.left': OfEffect & { readonly epoch: number }
  /** An effect starts. It stays pending until its end, also after a crash. */
  'turn.started': OfEffect & { readonly epoch: number }
  'node.done': OfEffect & { readonly output: Json; readonly label?: string }
  /** `output`: a partial result. */
  'node.failed': OfEffect & { readonly failure: Failure; readonly output?: Json }
  /** The time of a node has passed while its children work. They are cancelled, and it fails once they have ended. */
  'node.expired': OfEffect
  /** Progress that a node reports (`task.report`). */
  reported: OfEffect & { readonly call: string; readonly note: Json }
}

/** Commands of people, and of the processes that act for them. */
export type PersonEvent = ControlEvent | AnswerEvent | WaitEvent

type AnswerEvent = EventsIn<{
  /** The driver of a child reports its end. */
  'child.ended': ChildLink & Commanded & { readonly effect: string }
  /**
   * The answer to a question. `to` is the state to continue in, `rung` the chosen route. `saidAt`: when the person answered, in
   * ms, if known. The deadline applies to this time. `by`: who answered, as the service knows its callers.
   */
  resume: Commanded & {
    readonly effect: string
    readonly decision: Decision
    readonly to?: string
    readonly rung?: ChosenRung
    readonly output?: Json
    readonly note?: string
    readonly by?: string
    readonly saidAt?: number
  }
  /** `without: 'graph'`: the process did not hold the graph, and no edge is taken. */
  cancel: Commanded & { readonly reason: string; readonly without?: 'graph' }
  /** Starts a round of an ended thread. For a busy thread, the policy decides. `input` is validated like a thread's input. */
  message: Commanded & { readonly input: Json }
}>

/**
 * `approved`, `rejected` and `edited` are outcomes, or answer a proposed call. `applied` and `not-applied` answer an indeterminate
 * call. `dismiss`: the finding is not a loop, and the detectors ignore it from then on.
 */
export const DECISIONS = [
  'approved',
  'rejected',
  'edited',
  'applied',
  'not-applied',
  'dismiss',
  'stop',
] as const
export type Decision = (typeof DECISIONS)[number]

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
  /** The repetitions so far. Of a cycle of calls, the lap that has begun counts; its reason counts the whole laps. */
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
 * - `scope`: another thread of the scope asks a person; `deadlock`: threads wait for each other
 */
export const FINDING_KINDS = [
  'loop',
  'stall',
  'noToolCall',
  'degenerateOutput',
  'budget',
  'failure',
  'circuit',
  'scope',
  'deadlock',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** A finding of a detector. The watchdog adds the place, the time and the cost. */
export type FindingDraft = Omit<Finding, 'region' | 'states' | 'noticed' | 'burned'>

/** What a detector found. Its kind, name and defaults complete the draft. */
export type DraftParts = Pick<FindingDraft, 'members' | 'events' | 'reason'> & Partial<FindingDraft>

/** Completes the draft of a finding. By default, its events show one occurrence. */
export function findingDraft(kind: FindingKind, detector: string, of: DraftParts): FindingDraft {
  const { members, events } = of
  const times = { period: 1, repeats: 1, onset: events[0] ?? 0 }
  return { kind, detector, id: `${detector} ${members.join()}`, ...times, ...of }
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
