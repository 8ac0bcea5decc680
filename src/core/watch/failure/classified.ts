import type { OwnClassifier } from '../detect/own.ts'
import { CLASSES, type Classification, classify, type Facts, type FailureRule } from './failure.ts'

/** The class that one's own classifier gives a failure, else the table. A classifier that breaks, or names no class, decides nothing. */
export function classified(facts: Facts, rules: readonly FailureRule[], own: OwnClassifier | undefined): Classification {
  return plugged(own, facts) ?? classify(facts, rules)
}

function plugged(own: OwnClassifier | undefined, facts: Facts): Classification | undefined {
  try {
    const judged = own?.classify(facts)
    if (!own || !judged || !CLASSES.includes(judged.class)) return undefined
    return { class: judged.class, scope: judged.scope === 'resource' ? 'resource' : 'request', rule: own.name }
  } catch {
    return undefined
  }
}
