/** Changing a policy at run time, in the notation of a spec. */
import type { Json } from '../../watch/json.ts'
import { type Policy, POLICY } from '../../watch/policy.ts'
import { type Fault, faultsOf, specMessageFor } from './fault.ts'
import { policyParts } from './policy-schema.ts'
import { pollutingKey } from './read.ts'
import { partsOf, layPolicy } from './to-policy.ts'

/** The changed policy, or what is wrong with the change, each with its path. */
export type PolicyChanged =
  | { readonly policy: Policy; readonly faults?: undefined }
  | { readonly policy?: undefined; readonly faults: readonly Fault[] }

/** The path of what concerns the change as a whole. */
const CHANGE = '(the change)'

/** Deeper than any part of a policy. */
const DEPTH_MAX = 12

/**
 * Lays a change over the policy in force: maps are merged, lists and single values replaced, and `null` takes back to the
 * default. Never throws, and never changes what it is given.
 *
 * @example changePolicy(run.policy, { limits: { usd: 5 }, detect: { sequence: { repeats: 4 } }, escape: { review: { deadline: '2h' } } })
 */
export function changePolicy(policy: Policy, change: unknown): PolicyChanged {
  const fault = unreadable(change)
  if (fault) return { faults: [fault] }
  const parsed = policyParts.safeParse(mergePatch(partsOf(policy), change as Json), {
    error: specMessageFor,
  })
  return parsed.success
    ? { policy: layPolicy(POLICY, parsed.data) }
    : { faults: faultsOf(parsed.error.issues, [], CHANGE) }
}

function unreadable(change: unknown): Fault | undefined {
  if (!isMap(change) || Object.keys(change).length === 0)
    return {
      path: CHANGE,
      message: `expected a map with one or more of ${Object.keys(policyParts.shape).join(', ')}`,
    }
  if (depthOf(change) > DEPTH_MAX)
    return { path: CHANGE, message: `is nested more than ${DEPTH_MAX} deep` }
  const polluting = pollutingKey(change)
  return polluting === undefined
    ? undefined
    : { path: polluting, message: 'is not allowed as a key' }
}

/** How deep a value is nested, as far as it matters. */
function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return depth
  return Math.max(depth, ...Object.values(value).map(inner => depthOf(inner, depth + 1)))
}

function mergePatch(before: Json | undefined, change: Json): Json {
  if (!isMap(change)) return change
  const known = isMap(before) ? before : {}
  const laid = Object.entries(change).flatMap(([key, inner]) =>
    inner === null
      ? []
      : [
          [
            key,
            mergePatch(Object.hasOwn(known, key) ? known[key] : undefined, inner as Json),
          ] as const,
        ],
  )
  const left = Object.entries(known).filter(([key]) => !Object.hasOwn(change, key))
  // What was changed last stands first: of patterns, the first that fits decides.
  return Object.fromEntries([...laid, ...left]) as Json
}

function isMap(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
