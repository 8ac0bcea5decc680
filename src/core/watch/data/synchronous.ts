/**
 * The result of custom code that must not be asynchronous. A promise that rejects without a listener would end the process.
 * @throws TypeError for a promise
 */
export function synchronous<T>(value: T): T {
  const { then } = (value ?? {}) as { readonly then?: unknown }
  if (typeof then !== 'function') return value
  then.call(value, undefined, () => {})
  throw new TypeError('it returned a promise; expected a synchronous result')
}
