/** Cancellation of work: on request, with a signal, or after a time. */
import { GRACE } from '../../core/watch/policy/policy.ts'
import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { Clock, Sleep } from '../ports.ts'
import type { Timers } from './timers.ts'

/** Cancels work once, for all listeners. It creates an AbortSignal on demand, because a signal costs more than most steps. */
export class Cancellation {
  #cancelled: { readonly reason: unknown } | undefined
  #controller: AbortController | undefined
  readonly #listeners = new Set<(reason: unknown) => void>()

  get cancelled(): boolean {
    return this.#cancelled !== undefined
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#cancelled) this.#controller.abort(this.#cancelled.reason)
    return this.#controller.signal
  }

  cancel(reason: unknown): void {
    if (this.#cancelled) return
    this.#cancelled = { reason }
    this.#controller?.abort(reason)
    for (const listener of this.#listeners) listener(reason)
    this.#listeners.clear()
  }

  /** Calls the listener on cancellation, or at once if it has happened. Returns a function that removes it. */
  onCancel(listener: (reason: unknown) => void): () => void {
    if (this.#cancelled) listener(this.#cancelled.reason)
    else this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** @throws the reason after a cancellation. */
  throwIfCancelled(): void {
    if (this.#cancelled) throw this.#cancelled.reason
  }
}

/** Cancels when the signal is aborted, until the returned function is called. */
export function cancelOnAbort(cancellation: Cancellation, signal?: AbortSignal): () => void {
  const cancel = () => cancellation.cancel(signal?.reason)
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  return () => signal?.removeEventListener('abort', cancel)
}

interface Terms<T> {
  readonly clock: Clock
  readonly timers: Timers
  readonly ms: number
  readonly cancellation: Cancellation
  /** Receives the result of abandoned work. */
  readonly late: (result: WorkResult<T>) => void
}

export type WorkResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown }

/** The result of `within`. `abandoned`: the work was cancelled or timed out, and may still run. */
export type Ended<T> = WorkResult<T> & { readonly abandoned?: true }

/** Runs work until it ends, is cancelled or exceeds `ms`. The work receives a cancellation of its own. */
export function within<T>(
  { clock, timers, ms, cancellation, late }: Terms<T>,
  work: (cancellation: Cancellation, sleep: Sleep) => Promise<T>,
): Promise<Ended<T>> {
  return new Promise(resolve => {
    const inner = new Cancellation()
    let over = false
    let stopListening = () => {}
    const end = (result: Ended<T>) => {
      over = true
      stopTimer()
      stopListening()
      resolve(result)
    }
    const abandon = (reason: unknown) => {
      if (over) return
      end({ ok: false, error: reason, abandoned: true })
      inner.cancel(reason)
    }
    const stopTimer = timers.at(clock.now() + ms, () =>
      abandon(new ReasonError('TimeoutError', { code: 'no-answer', params: { ms } })),
    )
    const settle = (result: WorkResult<T>) => (over ? late(result) : end(result))
    clock
      .during(async sleep => work(inner, sleep))
      .then(
        value => settle({ ok: true, value }),
        error => settle({ ok: false, error }),
      )
    stopListening = cancellation.onCancel(abandon)
  })
}

/** Waits until abandoned work has ended, at most for the grace period. Returns whether it has ended. */
export async function graceTime(clock: Clock, work: Iterable<Promise<unknown>>): Promise<boolean> {
  const over = new AbortController()
  const ended = Promise.allSettled(work).then(() => true)
  const sleep = clock.sleep(GRACE, over.signal).then(
    () => false,
    () => false,
  )
  const hasEnded = await Promise.race([ended, sleep])
  over.abort()
  return hasEnded
}
