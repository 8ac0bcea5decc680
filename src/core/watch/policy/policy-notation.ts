/** The notation of policies: read, shown and changed. Specs, wraps, the command line and changes at run time all use it. */
import { type Fault, pathOf } from '../data/fault.ts'
import { type Json, notJsonAt } from '../data/json.ts'
import { POLICY, type Policy, completePolicy } from './policy.ts'
import { type PolicyNotation, policyKeys, policyKind } from './policy-keys.ts'
import { type At, readKind } from './policy-kinds.ts'
import { isMap, mapFields } from './policy-parts.ts'

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
export function safeParsePolicy(notation: unknown, terms: Partial<At> = {}): PolicyRead {
  const { value, problems } = readKind(policyKind, notation, terms)
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

/** A change laid over the policy in force: see `changePolicy`. */
export function layChange(policy: Policy, change: unknown, terms: Partial<At> = {}): PolicyRead {
  const fault = unreadable(change)
  if (fault) return { faults: [fault] }
  return safeParsePolicy(mergePatch(notationOf(policy), change as Json), terms)
}

function unreadable(change: unknown): Fault | undefined {
  const known = Object.keys(policyKeys).join(', ')
  if (!isMap(change) || Object.keys(change).length === 0)
    return { path: CHANGE, message: `expected a map with one or more of ${known}` }
  const fault = notJsonAt(change)
  return fault === undefined ? undefined : { path: CHANGE, message: fault }
}

function mergePatch(base: Json | undefined, change: Json): Json {
  if (!isMap(change)) return change
  const known = isMap(base) ? base : {}
  const before = (key: string) => (Object.hasOwn(known, key) ? known[key] : undefined)
  const laid = mapFields(change, (inner, key) =>
    inner === null ? undefined : mergePatch(before(key), inner),
  )
  const left = mapFields(known, (inner, key) => (Object.hasOwn(change, key) ? undefined : inner))
  // What was changed last stands first: of patterns, the first that fits decides.
  return { ...laid, ...left }
}
