/** Changing a policy at run time, in the notation of a spec. */
import type { Policy } from '../../watch/policy.ts'
import { layChange, type PolicyRead } from '../../watch/policy-notation.ts'
import { conditionFault } from './policy-schema.ts'

/**
 * Lays a change over the policy in force: maps are merged, lists and single values replaced, and `null` takes back to the
 * default. Never throws, and never changes what it is given.
 *
 * @example changePolicy(run.policy, { limits: { usd: 5 }, detect: { sequence: { repeats: 4 } }, escape: { review: { deadline: '2h' } } })
 */
export function changePolicy(policy: Policy, change: unknown): PolicyRead {
  return layChange(policy, change, { conditionFault })
}
