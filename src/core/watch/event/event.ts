/** All events of a thread. The machine and the watchdog are two reducers over this one stream. */
import type { Reason } from '../reason/reason.ts'
import type { CallEvent, CircuitEvent, OfCall, OfEffect } from './call-event.ts'
import type { Failure } from '../failure/failure.ts'
import type { Json, Digest } from '../data/json.ts'
import type { Policy } from '../policy/policy.ts'
import type { PeerSummary } from '../event/peer-summary.ts'
import type { Spent } from './spent.ts'

/** `at` is in ms, from the host's clock, and never decreases within a thread. */
export type Stamped<E = AgentEvent> = E & { readonly at: number }

/** All events of a thread, without their time. */
export type AgentEvent =
  | LifeEvent
  | NodeEvent
  | RollbackEvent
  | CallEvent
  | CircuitEvent
  | ChildEvent
  | PersonEvent
  | NoticeEvent

export type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: T }>

/** The driver that took the event. */
type Driven = { readonly epoch?: number }
/** The command behind the event. */
type Commanded = Driven & { readonly command?: string }

/** Events of the thread itself. */
type LifeEvent =
  | ({ readonly type: 'thread.started' } & ThreadStart)
  /** `policy` is the whole policy from the next event on, `change` the requested change in spec notation. */
  | ({
      readonly type: 'policy.changed'
      readonly policy: Policy
      readonly change?: Json
    } & Commanded)
  /** The rows before this one are copies of the parent's rows. */
  | ({ readonly type: 'forked'; readonly parent: Origin; readonly effects: ForkEffects } & Driven)
  /** The next round begins with the first queued message. */
  | ({ readonly type: 'round.started' } & Driven)
  /** What the other threads of a scope spent and found. */
  | ({ readonly type: 'scope.noted' } & PeerSummary)
  /** The deadline of `effect` is due, or its question moves on to the next person. */
  | ({ readonly type: 'tick'; readonly effect: string } & Driven)

/** `epoch` separates the time of a driver from the time without one. */
interface ThreadStart extends Driven {
  readonly input: Json
  readonly seed: number
  /** The hash of the spec, or of the chart of a machine in code. */
  readonly specHash: string
  /** The hash of the stored source: the spec, and the paths of its files and workspace. */
  readonly source?: string
  /** The thread began in virtual time and stays in it. */
  readonly clock?: 'virtual'
  readonly policy: Policy
  /** The versions that folded these events: `{ escapement, detectors, machine }`. */
  readonly versions: Readonly<Record<string, string>>
  /** The thread that started this one. */
  readonly parent?: Parent
  /** The nested graphs of the thread, outermost first, itself last. Absent if it runs no graphs. */
  readonly lineage?: readonly Ancestor[]
}

/** A thread as it was after event `seq`. */
export interface Origin {
  readonly thread: string
  readonly seq: number
}

/**
 * The external effects of a fork. `refuse` rejects writes and allows reads. `recorded` answers from the parent's journal while
 * the calls are the same, and then acts as `refuse`. `live` allows everything.
 */
export const FORK_EFFECTS = ['refuse', 'recorded', 'live'] as const
export type ForkEffects = (typeof FORK_EFFECTS)[number]

/** The result of a notification. `detail` is the response of the notifier, or why it failed. */
interface NoticeEvent {
  readonly type: 'notified'
  /** The question, and the step of its escalation. Each notifier is used once per step. */
  readonly effect: string
  readonly step: number
  readonly notifier: string
  readonly ok: boolean
  readonly attempts: number
  readonly detail: string
}

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

/** An item of a map, counted from 0. */
export interface Item {
  readonly index: number
  readonly of: number
}

/** `key` is the identity of the graph and its initial context. */
export interface Ancestor {
  readonly graph: string
  readonly key: string
}

export type RollbackEvent =
  /** All writes since the savepoint are undone. */
  | ({ readonly type: 'rollback.done' } & OfEffect)
  /** `undone`: the call that could not be undone. */
  | ({
      readonly type: 'rollback.failed'
      readonly undone?: string
      readonly failure: Failure
    } & OfEffect)

type NodeEvent =
  /** The process stopped in order while it performed the effect: its start does not count as a crash. */
  | ({ readonly type: 'turn.left'; readonly epoch: number } & OfEffect)
  | ({ readonly type: 'turn.started'; readonly epoch: number } & OfEffect)
  | ({ readonly type: 'node.done'; readonly output: Json; readonly label?: string } & OfEffect)
  /** `output`: a partial result. */
  | ({ readonly type: 'node.failed'; readonly failure: Failure; readonly output?: Json } & OfEffect)
  /** Progress that a node reports (`task.report`). */
  | ({ readonly type: 'reported'; readonly call: string; readonly note: Json } & OfEffect)

/** A graph that runs as a child thread. `subject` is its name in the spec, `key` the identity of graph and input. */
interface OfChild extends OfCall {
  readonly thread: string
  readonly item?: Item
}

/** How a thread ends. */
export type ChildOutcome = 'success' | 'failure' | 'stopped' | 'cancelled' | 'error'

/** `result` is `null` if it is too long. Then `cut` is its length in characters, and the child's journal holds it. */
interface ChildResult extends OfChild {
  readonly outcome: ChildOutcome
  readonly reason: string
  readonly because?: Reason
  readonly result: Json
  readonly cut?: number
  readonly spent: Spent
  readonly digest: Digest
  /** Whether the child wrote to an external system. */
  readonly effects: 'read' | 'write'
}

/** The child did not start: its input is invalid, its graph is recursive or nested too deeply, or this fork disables its writes. */
interface RefusedChild extends OfCall {
  readonly why: 'input' | 'recursion' | 'depth' | 'fork'
  readonly failure: Failure
  readonly way: readonly string[]
  readonly item?: Item
}

export type ChildEvent =
  /** `reserved`: the part of the remaining budget that the child may spend. */
  | ({ readonly type: 'child.started'; readonly reserved: Partial<Spent> } & OfChild)
  | ({ readonly type: 'child.done' } & ChildResult)
  | ({ readonly type: 'child.refused' } & RefusedChild)
  /** All remaining work is in children that wait for people. */
  | ({ readonly type: 'child.waiting'; readonly children: readonly ChildLink[] } & OfEffect)

export interface ChildLink {
  readonly call: string
  readonly thread: string
}

/** Commands of people, and of the processes that act for them. */
export type PersonEvent =
  /** The driver of a child reports its end. */
  | ({ readonly type: 'child.ended'; readonly effect: string } & ChildLink & Commanded)
  | ({ readonly type: 'resume' } & Answer)
  /** `without: 'graph'`: the process did not hold the graph, and no edge is taken. */
  | ({ readonly type: 'cancel'; readonly reason: string; readonly without?: 'graph' } & Commanded)
  /** Starts a round of an ended thread. For a busy thread, the policy decides. `input` is validated like a thread's input. */
  | ({ readonly type: 'message'; readonly input: Json } & Commanded)

/** The answer to a question. `to` is the state to continue in, `rung` the chosen route. */
interface Answer extends Commanded {
  readonly effect: string
  readonly decision: Decision
  readonly to?: string
  readonly rung?: ChosenRung
  readonly output?: Json
  readonly note?: string
  /** When the person answered, in ms, if known. The deadline applies to this time. */
  readonly saidAt?: number
}

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

/** The rungs that a person may choose. */
export const CHOSEN_RUNGS = ['rethink', 'alternative', 'rollback'] as const
export type ChosenRung = (typeof CHOSEN_RUNGS)[number]
