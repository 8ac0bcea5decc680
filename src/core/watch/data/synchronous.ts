/** Custom code whose results must not come later. */

/** Drops a promise: its rejection, which would end the process, has a listener from then on. Returns whether the value is one. */
export function dropPromise(value: unknown): value is PromiseLike<unknown> {
  const { then } = (value ?? {}) as { readonly then?: unknown }
  if (typeof then !== 'function') return false
  then.call(value, undefined, () => {})
  return true
}

/**
 * The result of custom code that must not be asynchronous.
 * @throws TypeError for a promise
 */
export function synchronous<T>(value: T): T {
  if (!dropPromise(value)) return value
  throw new TypeError('it returned a promise; expected a synchronous result')
}
