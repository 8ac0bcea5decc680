import { defined } from '../core/watch/data/defined.ts'
import type { Guarded } from '../runtime/ports.ts'

/** What a spec, or a caller, says about the protection of a tool or a model. Absent values are left out. */
export function protectionOf({
  timeout,
  retry,
  breaker,
  concurrency,
  substitutes,
}: Partial<Guarded>): Partial<Guarded> {
  return defined({ timeout, retry, breaker, concurrency, substitutes })
}
