/** Custom code whose results must not come later. */

/** Whether a value is a promise. From then on it has a listener: a rejection without one would end the process. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
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
  if (!isPromise(value)) return value
  throw new TypeError('it returned a promise; expected a synchronous result')
}
