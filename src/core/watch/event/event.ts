/** Everything that can happen to a thread. The machine and the watchdog are two reducers over this one stream. */
import type { Reason } from '../reason/reason.ts'
import type { CallEvent, CircuitEvent, OfCall, OfEffect } from './call-event.ts'
import type { Failure } from '../failure/failure.ts'
import type { Json } from '../data/json.ts'
import type { Policy } from '../policy/policy.ts'
import type { PeerSummary } from '../event/peer-summary.ts'
import type { Digest } from '../data/signature.ts'
import type { Spent } from './spent.ts'

/** Time enters as data: `at` is in ms, from the host's clock, and never goes back within a thread. */
export type Stamped<E = AgentEvent> = E & { readonly at: number }

/** All that can happen to a thread, without its time. */
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

/** The thread itself. */
export type LifeEvent =
  | {
      readonly type: 'thread.started'
      readonly input: Json
      readonly seed: number
      /** The hash of the spec, or of the chart of a machine in code. */
      readonly specHash: string
      /** The hash under which the store keeps its source: the spec, and where its files and its workspace lie. */
      readonly source?: string
      /** A thread that began in virtual time goes on in it. */
      readonly clock?: 'virtual'
      /** The epoch of the driver that took it, so that time without a driver can be told from the thread's own. */
      readonly epoch?: number
      readonly policy: Policy
      /** The versions that folded these events: `{ escapement, detectors, machine }`. */
      readonly versions: Readonly<Record<string, string>>
      /** Present where another thread has started it. */
      readonly parent?: Parent
      /** The graphs it stands in, the outermost first, itself last. Absent where it runs no graphs. */
      readonly lineage?: readonly Ancestor[]
    }
  /** The whole policy from the next event on. `change` is what was asked for, in the notation of a spec. */
  | {
      readonly type: 'policy.changed'
      readonly policy: Policy
      readonly change?: Json
      readonly command?: string
      readonly epoch?: number
    }
  /** The rows before this one are copies of the parent's: from here the thread is one of its own. */
  | {
      readonly type: 'forked'
      readonly parent: Origin
      readonly effects: ForkEffects
      readonly epoch?: number
    }
  /** A thread whose round has ended begins the next, with the message that waits first. */
  | { readonly type: 'round.started'; readonly epoch?: number }
  /** What the other threads of a scope have spent and met. */
  | ({ readonly type: 'scope.noted' } & PeerSummary)
  /** Time went by without anything else happening: the deadline of `effect` is due, or its question moves on to the next person. */
  | { readonly type: 'tick'; readonly effect: string; readonly epoch?: number }

/** A thread as it was after event `seq`. */
export interface Origin {
  readonly thread: string
  readonly seq: number
}

/**
 * What a fork may do in the world: `refuse` writes and read; be answered from its parent's journal (`recorded`) as long as it asks
 * the same, and then as with `refuse`; or do everything (`live`).
 */
export const FORK_EFFECTS = ['refuse', 'recorded', 'live'] as const
export type ForkEffects = (typeof FORK_EFFECTS)[number]

/** What has been done to reach people. */
export interface NoticeEvent {
  readonly type: 'notified'
  /** The question, and how often it had moved on: a notifier is used once for each step. */
  readonly effect: string
  readonly step: number
  readonly notifier: string
  readonly ok: boolean
  readonly attempts: number
  /** What the other side said, or why it failed. */
  readonly detail: string
}

/** The thread that has started a thread, and on what terms. */
export interface Parent {
  readonly thread: string
  /** The event with which it did, and the call that the child answers. */
  readonly seq: number
  readonly call: string
  /** What it has set aside for the child: the most the child may spend, whatever its own policy says. */
  readonly limits: Partial<Spent>
  /** How many threads may still stand one inside another below the child. */
  readonly depth: number
  readonly item?: Item
}

/** One of the items of a map, counted from 0. */
export interface Item {
  readonly index: number
  readonly of: number
}

/** `key` is the identity of the graph and of the context it began with. */
export interface Ancestor {
  readonly graph: string
  readonly key: string
}

/** The way back to the mark. */
export type RollbackEvent =
  /** All writes since the mark are undone: the run goes back. */
  | ({ readonly type: 'rollback.done' } & OfEffect)
  /** The way back could not be gone; `undone`: the call that could not be undone. */
  | ({
      readonly type: 'rollback.failed'
      readonly undone?: string
      readonly failure: Failure
    } & OfEffect)

export type NodeEvent =
  | ({ readonly type: 'turn.started'; readonly epoch: number } & OfEffect)
  | ({ readonly type: 'node.done'; readonly output: Json; readonly label?: string } & OfEffect)
  /** `output`: what there is of a result all the same. */
  | ({ readonly type: 'node.failed'; readonly failure: Failure; readonly output?: Json } & OfEffect)
  /** What a node says on its way (`task.report`). */
  | ({ readonly type: 'reported'; readonly call: string; readonly note: Json } & OfEffect)

/** A graph that is run as a thread of its own. `subject` is its name in the spec, `key` the identity of graph and input. */
interface OfChild extends OfCall {
  readonly thread: string
  readonly item?: Item
}

/** How a thread ends. */
export type ChildOutcome = 'success' | 'failure' | 'stopped' | 'cancelled' | 'error'

export type ChildEvent =
  /** `reserved`: what it may spend, taken from what is left here. */
  | ({ readonly type: 'child.started'; readonly reserved: Partial<Spent> } & OfChild)
  | ({
      readonly type: 'child.done'
      readonly outcome: ChildOutcome
      readonly reason: string
      readonly because?: Reason
      /** `null` where it is too long to be handed on: then `cut` is its length in characters, and the child has it. */
      readonly result: Json
      readonly cut?: number
      readonly spent: Spent
      readonly digest: Digest
      /** Whether it has changed the world. */
      readonly effects: 'read' | 'write'
    } & OfChild)
  /** It was not started: its input does not fit, it stands inside itself already, too deep, or in a fork that may change nothing, or may not change it twice. */
  | ({
      readonly type: 'child.refused'
      readonly why: 'input' | 'recursion' | 'depth' | 'fork'
      readonly failure: Failure
      readonly way: readonly string[]
      readonly item?: Item
    } & OfCall)
  /** All that is left to do here is done by children that wait for people. */
  | ({ readonly type: 'child.waiting'; readonly children: readonly ChildLink[] } & OfEffect)

export interface ChildLink {
  readonly call: string
  readonly thread: string
}

/** What people, and the processes that act for them, say. */
export type PersonEvent =
  /** A child that has been waited for has ended: told by whoever has driven it to its end. */
  | ({
      readonly type: 'child.ended'
      readonly effect: string
      readonly command?: string
      readonly epoch?: number
    } & ChildLink)
  | {
      readonly type: 'resume'
      readonly effect: string
      readonly decision: Decision
      /** The state to go on in. */
      readonly to?: string
      /** The way out a person chooses. */
      readonly rung?: ChosenRung
      readonly output?: Json
      readonly note?: string
      /** When it was said (ms), where that is known: it is judged by this time, however late it is heard. */
      readonly saidAt?: number
      readonly command?: string
      readonly epoch?: number
    }
  | {
      readonly type: 'cancel'
      readonly reason: string
      readonly command?: string
      readonly epoch?: number
    }
  /** Begins a round of a thread that has ended; what it means to a busy one, its policy says. `input` is checked like a thread's. */
  | {
      readonly type: 'message'
      readonly input: Json
      readonly command?: string
      readonly epoch?: number
    }

/**
 * `approved`, `rejected` and `edited` are outcomes, or answer a proposed call; `applied` and `not-applied` answer an indeterminate one.
 * `dismiss`: what was found is not a loop. The detectors ignore it from then on.
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

/** What a person may choose of the ladder. */
export const CHOSEN_RUNGS = ['rethink', 'alternative', 'rollback'] as const
export type ChosenRung = (typeof CHOSEN_RUNGS)[number]
