/** Carrying a thread on, as its host and the thread that has started it ask for it. */
import type { Run, Started } from '../../core/run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Timers } from '../time/timers.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { Ports } from '../ports.ts'

export interface DriveTerms {
  /** What a thread that does not exist yet begins with; one that exists goes on. */
  readonly start?: ThreadInit
  /** The thread must be new. */
  readonly fresh?: boolean
  /** `false`: a thread that only waits for its time is left until that is due. */
  readonly waits?: boolean
  /** Left: the thread is cancelled, with the reason. */
  readonly stop: Cancellation
  /** Left: the thread is left as it is, for whoever drives it next; rejects with the reason. */
  readonly lost: Cancellation
  /** Present where its parent is at hand, and need not be told of its end: they share the sleep of their clock. */
  readonly attended?: { readonly timers: Timers }
}

/** `lineage` is that of the parent: the thread adds itself. */
export interface ThreadInit extends Pick<Started, 'parent' | 'lineage'> {
  readonly input: Json
  readonly seed: number
  /** Other keys for scopes of the graph, by their names. */
  readonly keys?: Readonly<Record<string, string>>
}

/** @throws Conflict while somebody else drives the thread. */
export type DriveChild = (ports: Ports, thread: string, carrying: DriveTerms) => Promise<Run>
