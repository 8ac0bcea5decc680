import { classified } from '../../core/watch/failure/classified.ts'
import { type Facts, type Failure, type FailureRule, factsOf } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/json.ts'
import type { Ports } from '../ports.ts'

/** Anything that was thrown as a failure: its facts, secrets taken out, and the class that the plug-in or the table gives it. */
export function failureOf({ graph, redact }: Ports, rules: readonly FailureRule[], error: unknown): Failure {
  const facts = factsOf(error)
  return { ...(redact(facts as unknown as Json) as unknown as Facts), ...classified(facts, rules, graph.machine.parts.classifier) }
}
