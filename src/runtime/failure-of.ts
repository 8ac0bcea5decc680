import { classify, type Facts, type Failure, type FailureRule, factsOf } from '../core/watch/failure.ts'
import type { Json } from '../core/watch/json.ts'
import type { Ports } from './ports.ts'

/** Anything that was thrown as a failure: its facts, secrets taken out, and the class that the plug-in or the table gives it. */
export function failureOf({ graph, redact }: Ports, rules: readonly FailureRule[], error: unknown): Failure {
  const facts = factsOf(error)
  return { ...(redact(facts as unknown as Json) as unknown as Facts), ...(plugged(graph.classifier, facts) ?? classify(facts, rules)) }
}

/** A plug-in that breaks decides nothing; the table does. */
function plugged(classifier: Ports['graph']['classifier'], facts: Facts) {
  try {
    return classifier?.(facts)
  } catch {
    return undefined
  }
}
