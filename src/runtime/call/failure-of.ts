import type { Reason } from '../../core/watch/reason/reason.ts'
import { classifyWith } from '../../core/watch/detect/custom.ts'
import { type Failure, type FailureRule, factsOf } from '../../core/watch/failure/failure.ts'
import type { PartFailure } from '../../core/watch/failure/detector-errors.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { isCallFailed } from '../outcome.ts'
import type { Ports } from '../ports.ts'

/** Anything that was thrown as a failure: its facts, secrets taken out, and the class that the plug-in or the table gives it. */
export function failureOf(
  { graph, redact }: Ports,
  rules: readonly FailureRule[],
  error: unknown,
): Failure {
  if (isCallFailed(error)) return error.failure
  const facts = factsOf(error, text => String(redact(text)))
  const { breakage, ...classification } = classifyWith(facts, rules, graph.machine.parts.classifier)
  return {
    ...facts,
    ...(facts.reason
      ? { reason: redact(facts.reason as unknown as Json) as unknown as Reason }
      : {}),
    ...classification,
    ...(breakage
      ? { breakage: redact(breakage as unknown as Json) as unknown as PartFailure }
      : {}),
  }
}
