import { classified } from '../../core/watch/failure/classified.ts'
import { type Failure, type FailureRule, factsOf } from '../../core/watch/failure/failure.ts'
import type { Ports } from '../ports.ts'

/** Anything that was thrown as a failure: its facts, secrets taken out, and the class that the plug-in or the table gives it. */
export function failureOf({ graph, redact }: Ports, rules: readonly FailureRule[], error: unknown): Failure {
  const facts = factsOf(error, text => String(redact(text)))
  return { ...facts, ...classified(facts, rules, graph.machine.parts.classifier) }
}
