/** Timeouts, retries, breakers and the like: what a spec or a caller sets on a tool or a model. */
import { defined } from '../core/watch/data/json.ts'
import type { Guarded } from '../runtime/ports.ts'

export function protectionOf(guarded: Partial<Guarded>): Partial<Guarded> {
  const { timeout, retry, breaker, concurrency, substitutes } = guarded
  return defined({ timeout, retry, breaker, concurrency, substitutes })
}

/** Overrides the settings of a tool or a model with those of its spec. A prototype keeps the methods of an object of a class. */
export function withSettings<T extends object>(
  value: T,
  spec: Partial<Guarded>,
  settings: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  return Object.assign(Object.create(value) as T, protectionOf(spec), defined(settings))
}
