/** The policy in the schema of a spec. Conditions over the arguments of calls are compiled here: the watchdog has no CEL. */
import { faultsOf } from '../../watch/data/schema-faults.ts'
import { tunings as tuningsKey } from '../../watch/policy/detect-keys.ts'
import { plainOf } from '../../watch/policy/key.ts'
import { inheriting } from '../../watch/policy/map-keys.ts'
import * as keys from '../../watch/policy/policy-keys.ts'
import { duration as durationKey } from '../../watch/policy/value-keys.ts'
import type { PolicyRead, Policy } from '../../watch/policy/policy.ts'
import { layChange } from '../../watch/policy/policy.ts'
import { whenCompiler } from '../cel/when.ts'

const conditionOver = whenCompiler(['args'])

/** The fault of a rule whose condition cannot be compiled. */
function conditionFault(rule: unknown): string | undefined {
  const { when } = Object(rule) as { readonly when?: string }
  const { fault } = when === undefined ? {} : conditionOver(when)
  return fault && `expected ${keys.CONFIRM.join(', ')}, or a condition over args; ${fault}`
}

export { pattern } from '../../watch/policy/value-keys.ts'
export const duration = plainOf(durationKey()``)
export const retry = plainOf(keys.retry)
export const breaker = plainOf(keys.breaker)
export const tunings = plainOf(tuningsKey)
export const review = plainOf(keys.review)
export const confirming = keys.confirming.superRefine((rule, context) => {
  const message = conditionFault(rule)
  if (message !== undefined) context.addIssue(message)
})

const parts = keys.policyKeys

/** The keys of a spec that form its policy. */
export const policyShape = {
  ...inheriting({ mode: parts.mode }),
  limits: plainOf(parts.limits).prefault({}),
  retry: plainOf(parts.retry).prefault({}),
  breaker: plainOf(parts.breaker).prefault({}),
  detect: plainOf(parts.detect).prefault({}),
  escape: plainOf(parts.escape).prefault({}),
  rounds: plainOf(parts.rounds).prefault({}),
  failures: plainOf(parts.failures).prefault({}),
  confirm: plainOf(parts.confirm)
    .superRefine((rules, context) => {
      for (const [name, rule] of Object.entries(rules)) {
        const message = conditionFault(rule)
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
      }
    })
    .prefault({}),
}

/**
 * Applies a change to the policy in force: maps are merged, lists and single values replaced, and `null` restores the default.
 * Never throws, and never mutates its arguments.
 * @example changePolicy(run.policy, { limits: { usd: 5 }, detect: { sequence: { repeats: 4 } }, escape: { review: { deadline: '2h' } } })
 */
export function changePolicy(policy: Policy, change: unknown): PolicyRead {
  const changed = layChange(policy, change)
  const { error } = policyShape.confirm.safeParse(changed.policy?.confirm)
  return error ? { faults: faultsOf(error.issues, ['confirm']) } : changed
}
