/** News about threads: from the drives of this process at once, from other processes by polling. */
import { systemClock } from '../../adapters/node/ports.ts'
import { addTo } from '../../core/watch/data/sets.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import type { Live } from '../../runtime/ports.ts'

/** The interval in ms at which a thread of another process is polled. */
const POLL = 250

/** A thread that no event would continue, and why. */
export interface StuckThread {
  readonly thread: string
  readonly graph: string
  /** The code is `orphaned-thread`, `lost-wake-up` or `overdue-thread`. */
  readonly reason: Reason
}

/**
 * News of all threads. `stuck`: the worker found a thread that no event would continue. `breaker`: a process has changed the state of
 * a breaker.
 */
export type Observed =
  | Live
  | (StuckThread & { readonly kind: 'stuck' })
  | { readonly kind: 'breaker'; readonly resource: string }

/** `undefined` reports another change: the listener reads the store again. */
type Listener = (update: Live | undefined) => void

export class Changes {
  readonly #listeners = new Map<string, Set<Listener>>()
  /** The readers of the events of a thread. */
  readonly #followers = new Map<string, Set<Listener>>()

  readonly #observers = new Set<(update: Observed) => void>()

  /** Subscribes an observer of all threads that this process drives. */
  observe(observer: (update: Observed) => void): () => void {
    this.#observers.add(observer)
    return () => void this.#observers.delete(observer)
  }

  /** Subscribes a reader of the events. */
  follow(thread: string, listener: Listener): () => void {
    const ends = [this.subscribe(thread, listener), addTo(this.#followers, thread, listener)]
    return () => ends.forEach(end => void end())
  }

  isFollowed(thread: string): boolean {
    return this.#followers.has(thread)
  }

  /** Returns a function that ends the subscription. */
  subscribe(thread: string, listener: Listener): () => void {
    return addTo(this.#listeners, thread, listener)
  }

  /** Reports to the observers only. */
  report(update: Observed): void {
    for (const observer of this.#observers) observer(update)
  }

  publish(thread: string, update?: Live): void {
    for (const listener of this.#listeners.get(thread) ?? []) listener(update)
    if (update) this.report(update)
  }

  /** Resolves at the next change, or after the polling interval. @throws the reason of the signal */
  async next(thread: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const changed = new AbortController()
    const stop = () => changed.abort()
    const end = this.subscribe(thread, stop)
    // A listener needs a fraction of the memory of `AbortSignal.any`, which adds an entry to a long-lived signal.
    signal?.addEventListener('abort', stop, { once: true })
    await systemClock.sleep(POLL, changed.signal).catch(() => {})
    signal?.removeEventListener('abort', stop)
    end()
    signal?.throwIfAborted()
  }
}
