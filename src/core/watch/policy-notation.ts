/** The notation of policies: read, shown and changed. Specs, wraps, the command line and changes at run time all use it. */
import { type Fault, pathOf } from './fault.ts'
import type { Json } from './json.ts'
import { POLICY, type Policy, completePolicy } from './policy.ts'
import { type PolicyNotation, policyKeys, policyKind } from './policy-keys.ts'
import { type ConditionFault, readAs } from './policy-reader.ts'

/** A policy, or what is wrong, each fault with its path. */
export type PolicyRead =
  | { readonly policy: Policy; readonly faults?: undefined }
  | { readonly policy?: undefined; readonly faults: readonly Fault[] }

/** The policy is wrong; every fault is named. */
export class InvalidPolicy extends Error {
  override readonly name = 'InvalidPolicy'
  readonly code = 'invalid-policy'
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
    this.faults = faults
  }
}

/** Whether an error is a policy that was refused. */
export function isInvalidPolicy(error: unknown): error is InvalidPolicy {
  return error instanceof InvalidPolicy
}

/** The path of a change as a whole. */
const CHANGE = '(the change)'

/** Reads the notation; absent keys take their defaults. Never throws. */
export function safeParsePolicy(notation: unknown, conditionFault?: ConditionFault): PolicyRead {
  const { value, problems } = readAs(policyKind, notation, conditionFault)
  return problems
    ? { faults: problems.map(({ path, message }) => ({ path: pathOf(path), message })) }
    : { policy: completePolicy(value) }
}

/** The same, for code that has no spec. @throws InvalidPolicy */
export function parsePolicy(notation: PolicyNotation): Policy {
  const { policy, faults } = safeParsePolicy(notation)
  if (faults)
    throw new InvalidPolicy(
      faults.map(({ path, message }) => ({ path: path ? `policy.${path}` : 'policy', message })),
    )
  return policy
}

/** A policy in the notation, durations in ms: `safeParsePolicy` of it is the policy again. */
export function notationOf(policy: Policy): Readonly<Record<string, Json>> {
  const { failures, recurring, detect, ...parts } = policy
  const { own, ...detectors } = detect
  const rest = failures.length - POLICY.failures.length
  const defaults = POLICY.failures.every(({ id }, index) => id === failures[rest + index]?.id)
  const rules = defaults ? failures.slice(0, rest) : failures
  return {
    ...parts,
    detect: { ...detectors, ...own },
    failures: { rules, defaults, recurring },
  } as unknown as Readonly<Record<string, Json>>
}

/** Deeper than any part of a policy. */
const DEPTH_MAX = 12

/** A change laid over the policy in force: see `changePolicy`. */
export function layChange(
  policy: Policy,
  change: unknown,
  conditionFault?: ConditionFault,
): PolicyRead {
  const fault = unreadable(change)
  if (fault) return { faults: [fault] }
  return safeParsePolicy(mergePatch(notationOf(policy), change as Json), conditionFault)
}

function unreadable(change: unknown): Fault | undefined {
  if (!isMap(change) || Object.keys(change).length === 0)
    return {
      path: CHANGE,
      message: `expected a map with one or more of ${Object.keys(policyKeys).join(', ')}`,
    }
  if (depthOf(change) > DEPTH_MAX)
    return { path: CHANGE, message: `is nested more than ${DEPTH_MAX} deep` }
  const polluting = pollutingKey(change)
  return polluting === undefined
    ? undefined
    : { path: polluting, message: 'is not allowed as a key' }
}

/** The path of a key that would reach into an object's prototype. */
export function pollutingKey(value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const key of Object.keys(value)) {
    const at = path ? `${path}.${key}` : key
    if (key === '__proto__') return at
    const inner = pollutingKey((value as Record<string, unknown>)[key], at)
    if (inner) return inner
  }
  return undefined
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
