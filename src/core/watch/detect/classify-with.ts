import { WHY_MAX } from '../failure/detector-errors.ts'
import type { CustomClassifier } from './custom.ts'
import {
  CLASSES,
  type Classification,
  classify,
  type Facts,
  factsOf,
  type Failure,
  type FailureRule,
} from '../failure/failure.ts'

/** A class, and the breakage of the classifier that should have given it. */
type ClassifierResult = Classification & Pick<Failure, 'breakage'>

/** The class that one's own classifier gives a failure, else the table. A classifier that breaks, or names no class, decides nothing, and says why. */
export function classifyWith(
  facts: Facts,
  rules: readonly FailureRule[],
  own: CustomClassifier | undefined,
): ClassifierResult {
  if (!own) return classify(facts, rules)
  try {
    const judged = own.classify(facts)
    if (judged === undefined) return classify(facts, rules)
    if (!CLASSES.includes(judged.class))
      throw new TypeError(`its class is none; expected one of ${CLASSES.join(', ')}`)
    return {
      class: judged.class,
      scope: judged.scope === 'resource' ? 'resource' : 'request',
      rule: own.name,
    }
  } catch (error) {
    return {
      ...classify(facts, rules),
      breakage: { part: `classifier ${own.name}`, why: factsOf(error).message.slice(0, WHY_MAX) },
    }
  }
}
