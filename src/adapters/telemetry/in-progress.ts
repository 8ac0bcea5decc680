/** What is in progress in the driven threads: an entry for each step, call and escape, from its first event to its last. */

/** The threads that are remembered. A thread that another process continues has no last event here. */
const THREADS_MAX = 10_000

export class InProgress<Entry> {
  readonly #threads = new Map<string, Map<string, Entry>>()

  /** The entries of a thread. The thread that was used longest ago is forgotten. */
  of(thread: string): Map<string, Entry> {
    const entries = this.#threads.get(thread) ?? new Map<string, Entry>()
    this.#threads.delete(thread)
    this.#threads.set(thread, entries)
    const [oldest] = this.#threads.keys()
    if (this.#threads.size > THREADS_MAX && oldest !== undefined) this.#threads.delete(oldest)
    return entries
  }

  /** Removes an entry. */
  take(thread: string, key: string): Entry | undefined {
    const entries = this.#threads.get(thread)
    const entry = entries?.get(key)
    entries?.delete(key)
    return entry
  }

  /** Removes the entries of a thread that has ended. */
  end(thread: string): readonly Entry[] {
    const entries = [...(this.#threads.get(thread)?.values() ?? [])]
    this.#threads.delete(thread)
    return entries
  }
}
