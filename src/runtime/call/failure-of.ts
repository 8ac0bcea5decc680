import { CLASSES, type Classification, classify, type Facts, type Failure, type FailureRule, factsOf } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/json.ts'
import type { OwnClassifier } from '../../core/watch/detect/own.ts'
import type { Ports } from '../ports.ts'

/** Anything that was thrown as a failure: its facts, secrets taken out, and the class that the plug-in or the table gives it. */
export function failureOf({ graph, redact }: Ports, rules: readonly FailureRule[], error: unknown): Failure {
  const facts = factsOf(error)
  return { ...(redact(facts as unknown as Json) as unknown as Facts), ...(plugged(graph.machine.parts.classifier, facts) ?? classify(facts, rules)) }
}

/** A classifier of one's own that breaks, or names no class, decides nothing; the table does. */
function plugged(classifier: OwnClassifier | undefined, facts: Facts): Classification | undefined {
  try {
    const judged = classifier?.classify(facts)
    if (!judged || !CLASSES.includes(judged.class)) return undefined
    return { class: judged.class, scope: judged.scope === 'resource' ? 'resource' : 'request', rule: classifier?.name ?? '' }
  } catch {
    return undefined
  }
}
