/** News about threads: from the drives of this process at once, from other processes by polling. */
import { systemClock } from '../adapters/node/ports.ts'
import type { Live } from '../runtime/ports.ts'

/** The interval in ms at which a thread of another process is polled. */
const POLL = 250

/** `undefined` reports another change: the listener reads the store again. */
type Listener = (news: Live | undefined) => void

export class Changes {
  readonly #listeners = new Map<string, Set<Listener>>()
  /** The number of readers of the events of a thread. */
  readonly #followers = new Map<string, number>()

  /** Counts a reader until the returned function is called. */
  follow(thread: string): () => void {
    const count = (change: 1 | -1) => {
      const followers = (this.#followers.get(thread) ?? 0) + change
      if (followers > 0) this.#followers.set(thread, followers)
      else this.#followers.delete(thread)
    }
    count(1)
    return () => count(-1)
  }

  isFollowed(thread: string): boolean {
    return this.#followers.has(thread)
  }

  /** Returns a function that ends the subscription. */
  subscribe(thread: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(thread) ?? new Set()
    this.#listeners.set(thread, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(thread) === listeners)
        this.#listeners.delete(thread)
    }
  }

  publish(thread: string, news?: Live): void {
    for (const listener of this.#listeners.get(thread) ?? []) listener(news)
  }

  /** Resolves at the next change, or after the polling interval. @throws the reason of the signal */
  async next(thread: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const changed = new AbortController()
    const end = this.subscribe(thread, () => changed.abort())
    const signals = signal ? [signal, changed.signal] : [changed.signal]
    await systemClock.sleep(POLL, AbortSignal.any(signals)).catch(() => {})
    end()
    signal?.throwIfAborted()
  }
}
