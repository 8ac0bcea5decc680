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
