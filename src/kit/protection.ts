import type { ModelSpec, ToolSpec } from '../core/graph/spec/resource.ts'
import type { Guarded } from '../runtime/ports.ts'

/** What a spec says about the protection of a tool or a model; what it does not say is absent. */
export function protectionOf({
  timeout,
  retry,
  breaker,
  concurrency,
  substitutes,
}: Pick<
  ToolSpec | ModelSpec,
  'timeout' | 'retry' | 'breaker' | 'concurrency' | 'substitutes'
>): Partial<Guarded> {
  return {
    ...(timeout === undefined ? {} : { timeout }),
    ...(retry === undefined ? {} : { retry }),
    ...(breaker === undefined ? {} : { breaker }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(substitutes === undefined ? {} : { substitutes }),
  }
}
