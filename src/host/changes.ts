/** Who is told when something happens to a thread: at once where this process drives it, else by looking again. */
import { systemClock } from '../adapters/node/clock.ts'
import type { Live } from '../runtime/ports.ts'

/** Ms between two looks at a thread that another process may drive. */
export const POLL = 250

/** `undefined`: something else has changed, look again. */
type Listener = (news: Live | undefined) => void

export class Changes {
  readonly #listeners = new Map<string, Set<Listener>>()

  /** Returns what ends the subscription. */
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

  /** Resolves when something has changed, or after a while. @throws the reason of the signal */
  async next(thread: string, signal?: AbortSignal, ms: number = POLL): Promise<void> {
    signal?.throwIfAborted()
    const changed = new AbortController()
    const end = this.subscribe(thread, () => changed.abort())
    const signals = signal ? [signal, changed.signal] : [changed.signal]
    await systemClock.sleep(ms, AbortSignal.any(signals)).catch(() => {})
    end()
    signal?.throwIfAborted()
  }
}
