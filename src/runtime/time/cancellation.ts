/**
 * A reason to stop work, told once to all who listen. It becomes an AbortSignal for whoever asks for one: most work ends by
 * itself before anybody does, and a signal with its listeners costs more than the step it would have stopped.
 */
export class Cancellation {
  #left: { readonly reason: unknown } | undefined
  #controller: AbortController | undefined
  readonly #listeners = new Set<(reason: unknown) => void>()

  get cancelled(): boolean {
    return this.#left !== undefined
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#left) this.#controller.abort(this.#left.reason)
    return this.#controller.signal
  }

  cancel(reason: unknown): void {
    if (this.#left) return
    this.#left = { reason }
    this.#controller?.abort(reason)
    for (const listener of this.#listeners) listener(reason)
    this.#listeners.clear()
  }

  /** Calls back on leaving, at once if that has happened; returns what ends it. */
  onCancel(listener: (reason: unknown) => void): () => void {
    if (this.#left) listener(this.#left.reason)
    else this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** @throws the reason once work has been left. */
  throwIfCancelled(): void {
    if (this.#left) throw this.#left.reason
  }
}
