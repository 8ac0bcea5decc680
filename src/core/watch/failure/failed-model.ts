/** Failures of a model that every other request meets too. */
import type { Failure } from './failure.ts'

/** The statuses of an endpoint without this model, and of an account that must be paid first. */
const WITHOUT_MODEL: readonly number[] = [402, 404]
/** The rules on models that lack their settings: nothing is sent. */
const UNSENT: ReadonlySet<string> = new Set(['not-configured', 'no-key'])

/**
 * Whether the model fails for every request until a person repairs it: wrong credentials, a spent quota, a missing model or endpoint.
 *
 * Intuition: another prompt does not change the key. Hard case: a rejected request, such as one with too many tokens or an invalid
 * schema of a tool. Another node of the same model sends other requests, so it may answer. Rejected: every persistent failure, and
 * also an outage that counts as persistent because it recurs.
 */
export function failsAlways({ class: failureClass, was, scope, status, rule }: Failure): boolean {
  if (failureClass !== 'persistent' || was !== undefined) return false
  return scope === 'resource' || WITHOUT_MODEL.includes(status ?? 0) || UNSENT.has(rule)
}
