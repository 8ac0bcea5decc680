/** What a drive shares with its effects, and an effect with its calls. */
import type { Run, Started } from '../../core/run/run.ts'
import type { OfEffect } from '../../core/watch/event/call-event.ts'
import type { ChildLink, Parent } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { EscapePolicy } from '../../core/watch/policy/policy.ts'
import type { Journal } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { Timers } from '../time/timers.ts'
import type { CallRecords, Recording } from './call-record.ts'

/** Since which event of the parent it is paused, if it is. */
export type Hold = () => number | undefined

export interface DriveInput {
  /** The start of a thread that does not exist yet; an existing thread continues. */
  readonly start?: ThreadInit
  /** The call that the thread must belong to. */
  readonly parent?: Required<Pick<Parent, 'thread' | 'call' | 'key'>>
  /** The thread must be new. */
  readonly fresh?: boolean
  /** `false`: return when the thread only waits for its time; default: sleep until it is due. */
  readonly waits?: boolean
  /** Leaves the thread after so many turns; 0: takes commands and deadlines only. A sleep is a turn. Default: no limit. */
  readonly turns?: number
  /** The run that the caller knows. It saves a replay if the store has no later row. */
  readonly known?: Run | undefined
  /** Cancelling it cancels the thread, with the same reason. */
  readonly cancel: Cancellation
  /** Cancelling it leaves the thread as it is for the next driver; the drive rejects with the reason. */
  readonly leave: Cancellation
  /** Cancelling it leaves the thread after the turn in progress. */
  readonly drain?: Cancellation | undefined
  /** The parent is driven here and sees the result. */
  readonly drivenByParent?: true
  /** The pause of the parent that drives the thread. */
  readonly hold?: Hold
}

/** `lineage` is the parent's: the thread adds itself. */
export interface ThreadInit extends Pick<Started, 'message' | 'parent' | 'lineage'> {
  readonly input: Json
  readonly seed: number
  /** Custom keys for scopes of the graph, by their names. */
  readonly keys?: Readonly<Record<string, string>>
  /** A change of the policy of the graph, for this thread. */
  readonly policy?: Readonly<Record<string, Json>>
  /** The orders of a recorded run that is repeated. Absent: those of the policy, and with `learn` those that the store teaches. */
  readonly orders?: EscapePolicy['orders'] | undefined
  /** The id of the command that starts the thread, which takes it. */
  readonly command?: string
  /** The name of the request that starts the thread. A thread that exists does not keep it; `start` of a runtime keeps it. @throws ThreadPruned if the store knows it */
  readonly once?: string
}

/** What all effects of a drive share. */
export interface DriveContext {
  readonly ports: Ports
  readonly journal: Journal
  readonly timers: Timers
  /** All abandoned writes of the drive: they may take effect after its end. */
  readonly abandoned: Set<Promise<unknown>>
  /** Cancelled when this drive may not continue: its lease is lost, its store fails, or it is asked to leave. Work in progress is left as it is. */
  readonly halted: Cancellation
  readonly drain?: Cancellation | undefined
  /** Halts the drive if it drains, and nothing is left to end. */
  readonly haltIfDrained: () => void
  /** Drives a child thread. @throws Conflict while another process drives it. */
  readonly driveChild: (ports: Ports, thread: string, request: DriveInput) => Promise<Run>
  /** The running children of each effect: an effect is over when all of them are. */
  readonly runningChildren: Map<string, Set<Promise<unknown>>>
  readonly recording: Recording
}

/** The effect that makes calls, and everything it needs for them. */
export interface CallContext extends OfEffect, DriveContext {
  /** Cancelled when the node is left: by the watchdog, a deadline, a person or its own end. */
  readonly cancellation: Cancellation
  /** Abandoned writes, for which the effect still has to wait. */
  readonly outstanding: Set<Promise<unknown>>
  /** What the journal already holds of the effect. */
  readonly records: CallRecords
  readonly openCalls: Set<string>
  /** The open calls whose child thread waits for a person. */
  readonly waitingChildren: ChildLink[]
  /** The open calls whose child thread starts once a sibling returns a part of its share. */
  readonly withoutShare: Set<string>
  /** The open calls whose child thread was left by the drain. */
  readonly drainedCalls: Set<string>
}
