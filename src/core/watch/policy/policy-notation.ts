/** Reads, writes and changes the notation of policies, for specs, wrapped agents, the command line and running threads. */
import { type Json, isMap, mapFields, notJsonAt } from '../data/json.ts'
import { codedError, guardOf, type Fault, faultLine, type OrFaults, pathOf } from '../data/fault.ts'
import { type Policy, completePolicy, POLICY } from './policy.ts'
import { type PolicyNotation, policyKeys, policyKind } from './policy-keys.ts'
import { type At, readKind } from './policy-kinds.ts'

/** A policy, or its faults with their paths. */
export type PolicyRead = OrFaults<{ readonly policy: Policy }>

/** The policy is invalid. The message lists every fault. */
export class InvalidPolicy extends codedError('InvalidPolicy', 'invalid-policy') {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super(faults.map(faultLine).join('\n'))
    this.faults = faults
  }
}

/** Whether an error is an `InvalidPolicy`. */
export const isInvalidPolicy = guardOf(InvalidPolicy)

/** Reads the notation; absent keys take their defaults. Never throws. */
export function safeParsePolicy(notation: unknown, terms: Partial<At> = {}): PolicyRead {
  const { value, problems } = readKind(policyKind, notation, terms)
  return problems
    ? { faults: problems.map(({ path, message }) => ({ path: pathOf(path), message })) }
    : { policy: completePolicy(value) }
}

/** Like `safeParsePolicy`, for code without a spec. @throws InvalidPolicy */
export function parsePolicy(notation: PolicyNotation): Policy {
  const { policy, faults } = safeParsePolicy(notation)
  if (policy) return policy
  throw new InvalidPolicy(
    faults.map(({ path, message }) => ({ path: path ? `policy.${path}` : 'policy', message })),
  )
}

/** A policy in the notation, durations in ms. `safeParsePolicy` reverses it. */
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

/** Merges a change into the policy in force: see `changePolicy`. */
export function layChange(policy: Policy, change: unknown, terms: Partial<At> = {}): PolicyRead {
  const message = changeFault(change)
  if (message !== undefined) return { faults: [{ path: '(the change)', message }] }
  return safeParsePolicy(mergePatch(notationOf(policy), change as Json), terms)
}

function changeFault(change: unknown): string | undefined {
  return isMap(change) && Object.keys(change).length > 0
    ? notJsonAt(change)
    : `expected a map with one or more of ${Object.keys(policyKeys).join(', ')}`
}

function mergePatch(base: Json | undefined, change: Json): Json {
  if (!isMap(change)) return change
  const known = isMap(base) ? base : {}
  const before = (key: string) => (Object.hasOwn(known, key) ? known[key] : undefined)
  const changed = mapFields(change, (inner, key) =>
    inner === null ? undefined : mergePatch(before(key), inner),
  )
  const rest = mapFields(known, (inner, key) => (Object.hasOwn(change, key) ? undefined : inner))
  // The latest change comes first because the first matching pattern applies.
  return { ...changed, ...rest }
}
