/** What a call is, before it is made: where, of what, and how its events are written. */
import type { Reconciled } from '../../core/watch/event/call-event.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { draw } from '../../core/watch/data/signature.ts'
import type { Timers } from '../time/timers.ts'
import type { DriveChild } from './drive-child.ts'
import type { Journal } from '../journal/journal.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { Calling, Guarded, Ports, Sleep } from '../ports.ts'
import type { Late } from '../time/within.ts'

/** Where a call is made: the effect it belongs to, and the way to leave it. */
export interface CallContext {
  readonly ports: Ports
  readonly journal: Journal
  readonly effect: { readonly id: string; readonly region: string }
  /** Left by the watchdog, a deadline, a person or the node's own end: there is nothing more to do here. */
  readonly cancellation: Cancellation
  readonly timers: Timers
  /** Work that was left behind and may still come to something. */
  readonly outstanding: Set<Promise<unknown>>
  /** Left when the thread is another's now: then what is under way is left as it is. */
  readonly lost: Cancellation
  /** Carries a child on. */
  readonly driveChild: DriveChild
  /** The children of each effect that are being carried on: it is not over before they are. */
  readonly families: Map<string, Set<Promise<unknown>>>
}

export interface Callable<A> {
  /** `<effect>/<n>`. */
  readonly call: string
  readonly subject: string
  readonly key: string
  readonly kind: 'tool' | 'model'
  readonly guard: Guarded
  /** The call that this one undoes. */
  readonly compensates?: string
  /** Read-only or idempotent: may be made again although nobody knows what became of it. */
  readonly repeatable: boolean
  /** Changes the world. */
  readonly writes: boolean
  /** Other calls of its node are still out. */
  more(): boolean
  /** The event about to be written is the call's last: it is out no longer. */
  close(): void
  called(attempt: number): AgentEvent
  perform(calling: Calling): Promise<unknown>
  /** @throws NotJson: what a read returns must be kept, or it has failed. A write that took effect never fails here. */
  done(
    raw: unknown,
    tries: { readonly tries?: number },
  ): { readonly event: AgentEvent; readonly answer: A }
  late(result: Late<unknown>): AgentEvent | undefined
  /** Present where the tool can tell afterwards whether a call took effect. What it says is checked, cut and redacted. */
  reconcile?(calling: Calling): Promise<{ readonly answer: Reconciled; readonly result: Json }>
  /** Absent: nobody answers in its place. */
  readonly standIns?: Substitutes<A>
}

/** Who may answer a call in place of the one it was made to. */
export interface Substitutes<A> {
  /** Nearest first. */
  readonly names: readonly string[]
  /** The same call, made to another; `undefined` where the other does not take its arguments. */
  made(name: string): Callable<A> | undefined
}

/** The fields every event of the call carries. */
export function fieldsOf<A>({ effect }: CallContext, of: Callable<A>) {
  const fields = {
    effect: effect.id,
    region: effect.region,
    call: of.call,
    subject: of.subject,
    key: of.key,
    ...(of.compensates === undefined ? {} : { compensates: of.compensates }),
  }
  return of.more() ? { ...fields, more: true as const } : fields
}

interface CallTerms {
  readonly cancellation: Cancellation
  readonly sleep: Sleep
  readonly tried: Calling['tried']
  /** Whose call it is; absent: this thread's. */
  readonly thread?: string | undefined
}

export function callingOf<A>(
  { journal }: CallContext,
  of: Callable<A>,
  attempt: number,
  { cancellation, sleep, tried, thread = journal.lease.thread }: CallTerms,
): Calling {
  return {
    idempotencyKey: `${thread}/${of.call}`,
    attempt,
    get signal() {
      return cancellation.signal
    },
    sleep: ms => sleep(ms, cancellation.signal),
    draw: purpose => draw(journal.run.seed, of.call, attempt, purpose),
    tried,
  }
}

export function timing({ ports, timers, cancellation }: CallContext) {
  return { clock: ports.clock, timers, cancellation }
}
