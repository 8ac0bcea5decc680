/** A call before it is made: its subject, its limits, and how its events are written. */
import type { Reconciled } from '../../core/watch/event/call-event.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import type { Usage } from '../../core/watch/event/spent.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import { type Json, draw } from '../../core/watch/data/json.ts'
import type { Calling, Guarded } from '../ports.ts'
import { type Ended, type Late, within } from '../time/within.ts'
import type { CallContext, OpenCall } from './context.ts'

/** `call` is `<effect>/<n>`. */
export interface Callable<A> extends OpenCall {
  readonly kind: 'tool' | 'model'
  /** The name of the subject in breakers and retry counts. */
  readonly dependency: string
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
  /** What the latest attempt of a model has cost although it failed; `undefined` if nothing was sent. */
  spentBy?(failure: Failure): Usage | undefined
  /** Present when the tool can determine afterwards whether a call took effect. */
  reconcile?(calling: Calling): Promise<ReconciledCall>
  /** The tools or models that may answer in place of the subject. */
  readonly substitutes?: {
    /** In order of preference. */
    readonly names: readonly string[]
    /** The same call to a substitute; `undefined` when the substitute does not accept its arguments. */
    callable(name: string): Callable<A> | undefined
  }
}

/** Checked, truncated and redacted. `fenced`: an earlier attempt can no longer take effect. */
export interface ReconciledCall {
  readonly answer: Reconciled
  readonly result: Json
  readonly fenced: boolean
}

export const UNKNOWN: ReconciledCall = { answer: 'unknown', result: null, fenced: false }

interface WithinTerms extends Pick<Calling, 'attempt' | 'fencingToken'> {
  /** The thread that made the call; default: this one. */
  readonly thread?: string | undefined
  readonly tried?: Calling['tried']
  readonly late?: (result: Late<unknown>) => void
}

/** Performs work for a call, until it ends, is cancelled or times out. */
export function performWithin<A, T>(
  { ports: { clock }, journal, timers, cancellation }: CallContext,
  { call, guard }: Callable<A>,
  terms: WithinTerms,
  work: (calling: Calling) => Promise<T>,
): Promise<Ended<T>> {
  const {
    attempt,
    fencingToken,
    thread = journal.lease.thread,
    tried = () => {},
    late = () => {},
  } = terms
  const limits = { clock, timers, cancellation, ms: guard.timeout, late }
  return within(limits, (own, sleep) =>
    work({
      idempotencyKey: `${thread}/${call}`,
      attempt,
      fencingToken,
      get signal() {
        return own.signal
      },
      sleep: ms => sleep(ms, own.signal),
      draw: purpose => draw(journal.run.seed, call, attempt, purpose),
      tried,
    }),
  )
}
