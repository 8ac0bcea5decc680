/** A call before it is made: its subject, its limits, and how its events are written. */
import type { Reconciled } from '../../core/watch/event/call-event.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { draw } from '../../core/watch/data/signature.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { Calling, Guarded, Sleep } from '../ports.ts'
import type { Late } from '../time/within.ts'
import type { CallContext, OpenCall } from './context.ts'

/** `call` is `<effect>/<n>`. */
export interface Callable<A> extends OpenCall {
  readonly kind: 'tool' | 'model'
  readonly guard: Guarded
  /** Read-only or idempotent: can be made again when its outcome is unknown. */
  readonly repeatable: boolean
  readonly writes: boolean
  called(attempt: number): AgentEvent
  perform(calling: Calling): Promise<unknown>
  /** @throws NotJson for a read whose result cannot be stored. A write that took effect never fails here. */
  done(
    raw: unknown,
    tries: { readonly tries?: number },
  ): { readonly event: AgentEvent; readonly answer: A }
  late(result: Late<unknown>): AgentEvent | undefined
  /** Present when the tool can determine afterwards whether a call took effect. */
  reconcile?(calling: Calling): Promise<ReconciledCall>
  readonly substitutes?: Substitutes<A>
}

/** Checked, truncated and redacted. */
export interface ReconciledCall {
  readonly answer: Reconciled
  readonly result: Json
}

/** The tools or models that may answer a call in place of its subject. */
interface Substitutes<A> {
  /** In order of preference. */
  readonly names: readonly string[]
  /** The same call to a substitute; `undefined` when the substitute does not accept its arguments. */
  callable(name: string): Callable<A> | undefined
}

interface CallTerms {
  readonly cancellation: Cancellation
  readonly sleep: Sleep
  readonly tried: Calling['tried']
  /** The thread that made the call; default: this one. */
  readonly thread?: string | undefined
}

export function callingOf<A>(
  { journal }: CallContext,
  { call }: Callable<A>,
  attempt: number,
  { cancellation, sleep, tried, thread = journal.lease.thread }: CallTerms,
): Calling {
  return {
    idempotencyKey: `${thread}/${call}`,
    attempt,
    get signal() {
      return cancellation.signal
    },
    sleep: ms => sleep(ms, cancellation.signal),
    draw: purpose => draw(journal.run.seed, call, attempt, purpose),
    tried,
  }
}
