/** Failures of calls: errors as failures, and the failures of calls that were never made. */
import type { Reason } from '../../core/watch/reason/reason.ts'
import { classifyWith } from '../../core/watch/detect/custom.ts'
import { factsOf, stated } from '../../core/watch/failure/failure.ts'
import type { Failure, PartFailure } from '../../core/watch/failure/failure.ts'
import { type Json, defined } from '../../core/watch/data/json.ts'
import { isCallFailed } from '../outcome.ts'
import type { CallContext } from './context.ts'

/** Turns any error into a redacted failure, classified by the custom classifier or by the rules. */
export function failureOf(
  { ports: { graph, redact }, journal }: Pick<CallContext, 'ports' | 'journal'>,
  error: unknown,
  rules = journal.run.policy.failures,
): Failure {
  if (isCallFailed(error)) return error.failure
  const redacted = <T extends Reason | PartFailure>(value: T | undefined) =>
    value && (redact(value as unknown as Json) as unknown as T)
  const facts = factsOf(error, text => String(redact(text)))
  const { breakage, ...classification } = classifyWith(facts, rules, graph.machine.parts.classifier)
  return {
    ...facts,
    ...defined({ reason: redacted(facts.reason) }),
    ...classification,
    ...defined({ breakage: redacted(breakage) }),
  }
}

/** A failure by the runtime itself: the same call would fail again. */
export function callFailure(name: string, rule: string, reason: Reason): Failure {
  return { name, ...stated(reason), class: 'persistent', scope: 'request', rule }
}
